import type { SqliteConnection, SqliteValue } from "@treelog-internal/sqlite"
import type { SessionRows } from "./session-rows.js"
import { spanOf } from "./usage-spans.js"

// Forks and imports copy entries: the same id, timestamp and content, or the same response, in several sessions. Answers have each once, from the
// session that comes first (`CopyOrder`) of those that fit. So that most of them need not look for copies, each entry knows whether it has any.
// A copy may end within a reply: what that says is not the reply's, and what it used is. So there are two kinds of copies, each with its marks.

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
  /** A number of the call to the model that it is the reply of, by which only what was used is compared; null where that is not known. */
  readonly call?: number | null
}

export interface EntryPlace {
  readonly session: number
  readonly n: number
}

/** What is copied: the texts and files of an entry, or what it used, which only entries that used something have. */
export interface CopyKind {
  /** Of `entry`: the mark. */
  readonly column: "copies" | "usage_copies"
  /** Of `entry`, in SQL, with the values of an identity: that a row is a copy of it. */
  readonly condition: string
  readonly valuesOf: (identity: EntryIdentity) => readonly SqliteValue[]
}

const SAME = "id = ? AND time = ? AND stamp IS ? AND content = ? OR response = ?"

export const TEXTS: CopyKind = {
  column: "copies",
  condition: `(${SAME})`,
  valuesOf: ({ id, time, stamp, content, response }) => [id, time, stamp, content, response],
}

export const USAGE: CopyKind = {
  column: "usage_copies",
  condition: `usage_copies IS NOT NULL AND (${SAME} OR call = ?)`,
  valuesOf: (identity) => [...TEXTS.valuesOf(identity), identity.call ?? null],
}

interface TimedPlace extends EntryPlace {
  readonly time: number
}

/** Entries with the same identity. */
export function copiesOf(connection: SqliteConnection, identity: EntryIdentity, kind = TEXTS): TimedPlace[] {
  const find = connection.sql(`SELECT session, n, time FROM entry WHERE ${kind.condition}`)
  return find.all<TimedPlace>(...kind.valuesOf(identity))
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
  kind: CopyKind,
): number {
  const { column } = kind
  const find = connection.sql(
    `SELECT session, n, time, ${column} AS copies FROM entry WHERE ${kind.condition} AND ${column} <> ${COPY}`,
  )
  const all = find.all<TimedPlace & { copies: number }>(...kind.valuesOf(identity))
  if (all.length === 0) return NO_COPY
  const counted = all.filter((other) => mayShare(sessions, place, other))
  const isCopy = counted.some((other) => comesBefore(sessions, other, place))
  for (const other of counted) {
    if (!isCopy) mark(connection, other, COPY, kind)
    else if (other.copies === NO_COPY) mark(connection, other, FIRST, kind)
  }
  if (isCopy) return COPY
  const hasCopy =
    counted.length > 0 || copiesOf(connection, identity, kind).some((other) => mayShare(sessions, place, other))
  return hasCopy ? FIRST : NO_COPY
}

/** Marks the entries that are left, after one that counted was removed. */
export function markLeft(
  connection: SqliteConnection,
  sessions: SessionRows,
  identity: EntryIdentity,
  kind: CopyKind,
): void {
  const left = copiesOf(connection, identity, kind)
  for (const counted of countedOf(sessions, left)) {
    const isOnly = !left.some((other) => other !== counted && mayShare(sessions, counted, other))
    mark(connection, counted, isOnly ? NO_COPY : FIRST, kind)
  }
}

function mark(connection: SqliteConnection, { session, n, time }: TimedPlace, copies: number, kind: CopyKind): void {
  connection.sql(`UPDATE entry SET ${kind.column} = ? WHERE session = ? AND n = ?`).run(copies, session, n)
  if (kind !== USAGE) return
  const update = connection.sql("UPDATE usage SET copies = ? WHERE span = ? AND session = ? AND n = ?")
  update.run(copies, spanOf(time), session, n)
}
