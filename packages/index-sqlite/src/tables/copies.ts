import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { SessionRows } from "./session-rows.js"
import { spanOf } from "./usage-spans.js"

// Forks and imports copy entries: the same id, timestamp and content, or the same response, in several sessions. Answers have each once, from the
// session that comes first (`CopyOrder`) of those that fit. So that most of them need not look for copies, each entry knows whether it has any.

export const NO_COPY = 0
/** It has copies, and is the one that counts where all sessions fit. */
export const FIRST = 1
/** A session that comes before has the entry. */
export const COPY = 2

/** What distinguishes an entry from all but its copies. */
export interface EntryIdentity {
  readonly id: string
  /** Undefined where it is the ISO form of the time. */
  readonly stamp: string | null
  readonly time: number
  /** A number of what it says. */
  readonly content: number
  /** A number of its response; null where its provider gave that no id. */
  readonly response: number | null
}

export interface EntryPlace {
  readonly session: number
  readonly n: number
}

const SAME = "(id = ? AND time = ? AND stamp IS ? AND content = ? OR response = ?)"

const valuesOf = ({ id, time, stamp, content, response }: EntryIdentity) =>
  [id, time, stamp, content, response] as const

interface TimedPlace extends EntryPlace {
  readonly time: number
}

/** Entries with the same identity. */
export function copiesOf(connection: SqliteConnection, identity: EntryIdentity): TimedPlace[] {
  return connection.sql(`SELECT session, n, time FROM entry WHERE ${SAME}`).all<TimedPlace>(...valuesOf(identity))
}

/** Selects, of entries with one identity, the ones that count: of several that may be copies of each other, the first by `CopyOrder`. */
export function countedOf<Place extends EntryPlace>(sessions: SessionRows, places: readonly Place[]): Place[] {
  const counted: Place[] = []
  for (const place of [...places].sort((a, b) => (comesBefore(sessions, a, b) ? -1 : 1)))
    if (!counted.some((other) => mayShare(sessions, place, other))) counted.push(place)
  return counted
}

/** Whether an entry counts, of those of its copies that are given. */
export function countsIn(sessions: SessionRows, place: EntryPlace, copies: readonly EntryPlace[]): boolean {
  return !copies.some((other) => mayShare(sessions, place, other) && comesBefore(sessions, other, place))
}

function comesBefore(sessions: SessionRows, a: EntryPlace, b: EntryPlace): boolean {
  if (a.session === b.session) return a.n < b.n
  const [first, second] = [sessions.get(a.session), sessions.get(b.session)]
  return first !== undefined && (second === undefined || sessions.sources.order.isBefore(first.session, second.session))
}

export function mayShare(sessions: SessionRows, a: EntryPlace, b: EntryPlace): boolean {
  const [first, second] = [sessions.get(a.session), sessions.get(b.session)]
  return first !== undefined && second !== undefined && sessions.sources.order.mayShare(first.session, second.session)
}

/** Marks a new entry and those that counted before it. @returns the mark of the new one, which is not stored yet */
export function markNew(
  connection: SqliteConnection,
  sessions: SessionRows,
  place: EntryPlace,
  identity: EntryIdentity,
): number {
  const find = connection.sql(`SELECT session, n, time, copies FROM entry WHERE ${SAME} AND copies <> ${COPY}`)
  const all = find.all<TimedPlace & { copies: number }>(...valuesOf(identity))
  if (all.length === 0) return NO_COPY
  const counted = all.filter((other) => mayShare(sessions, place, other))
  const isCopy = counted.some((other) => comesBefore(sessions, other, place))
  for (const other of counted) {
    if (!isCopy) mark(connection, other, COPY)
    else if (other.copies === NO_COPY) mark(connection, other, FIRST)
  }
  if (isCopy) return COPY
  const hasCopy = counted.length > 0 || copiesOf(connection, identity).some((other) => mayShare(sessions, place, other))
  return hasCopy ? FIRST : NO_COPY
}

/** Marks the entries that are left, after one that counted was removed. */
export function markLeft(connection: SqliteConnection, sessions: SessionRows, identity: EntryIdentity): void {
  const left = copiesOf(connection, identity)
  for (const counted of countedOf(sessions, left)) {
    const isOnly = !left.some((other) => other !== counted && mayShare(sessions, counted, other))
    mark(connection, counted, isOnly ? NO_COPY : FIRST)
  }
}

function mark(connection: SqliteConnection, { session, n, time }: TimedPlace, copies: number): void {
  connection.sql("UPDATE entry SET copies = ? WHERE session = ? AND n = ?").run(copies, session, n)
  const update = connection.sql("UPDATE usage SET copies = ? WHERE span = ? AND session = ? AND n = ?")
  update.run(copies, spanOf(time), session, n)
}
