import { isBefore } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { SessionRows } from "./session-rows.js"
import { spanOf } from "./usage-spans.js"

// Forks copy entries: the same id, timestamp and content in several sessions. Answers have each once, from the oldest session that fits. So that
// most of them need not look for copies, each entry knows whether it has any.

export const NO_COPY = 0
/** It has copies, and is the one that counts where all sessions fit. */
export const FIRST = 1
/** An older session has the entry. */
export const COPY = 2

/** What distinguishes an entry from all but its copies. */
export interface EntryIdentity {
  readonly id: string
  /** Undefined where it is the ISO form of the time. */
  readonly stamp: string | null
  readonly time: number
  /** A number of what it says. */
  readonly content: number
}

export interface EntryPlace {
  readonly session: number
  readonly n: number
}

const SAME = "id = ? AND time = ? AND stamp IS ? AND content = ?"
const COUNTED = `SELECT session, n, copies FROM entry WHERE ${SAME} AND copies <> ${COPY}`

/** Entries with the same identity. */
export function copiesOf(connection: SqliteConnection, { id, time, stamp, content }: EntryIdentity): EntryPlace[] {
  return connection.sql(`SELECT session, n FROM entry WHERE ${SAME}`).all<EntryPlace>(id, time, stamp, content)
}

/** The oldest of some entries with one identity. */
export function oldestOf<Place extends EntryPlace>(sessions: SessionRows, places: readonly Place[]): Place | undefined {
  let oldest: Place | undefined
  for (const place of places) if (oldest === undefined || comesBefore(sessions, place, oldest)) oldest = place
  return oldest
}

function comesBefore(sessions: SessionRows, a: EntryPlace, b: EntryPlace): boolean {
  if (a.session === b.session) return a.n < b.n
  const [first, second] = [sessions.get(a.session), sessions.get(b.session)]
  return first !== undefined && (second === undefined || isBefore(first.session, second.session))
}

/** Marks a new entry and the one that counted before it. @returns the mark of the new one, which is not stored yet */
export function markNew(
  connection: SqliteConnection,
  sessions: SessionRows,
  place: EntryPlace,
  { id, time, stamp, content }: EntryIdentity,
): number {
  const counted = connection.sql(COUNTED).get<EntryPlace & { copies: number }>(id, time, stamp, content)
  if (counted === undefined) return NO_COPY
  const isOlder = comesBefore(sessions, place, counted)
  if (isOlder || counted.copies === NO_COPY) mark(connection, counted, time, isOlder ? COPY : FIRST)
  return isOlder ? FIRST : COPY
}

/** Marks the oldest of the entries that are left, after the one that counted was removed. */
export function markLeft(connection: SqliteConnection, sessions: SessionRows, identity: EntryIdentity): void {
  const left = copiesOf(connection, identity)
  const oldest = oldestOf(sessions, left)
  if (oldest !== undefined) mark(connection, oldest, identity.time, left.length === 1 ? NO_COPY : FIRST)
}

function mark(connection: SqliteConnection, { session, n }: EntryPlace, time: number, copies: number): void {
  connection.sql("UPDATE entry SET copies = ? WHERE session = ? AND n = ?").run(copies, session, n)
  const update = connection.sql("UPDATE usage SET copies = ? WHERE span = ? AND session = ? AND n = ?")
  update.run(copies, spanOf(time), session, n)
}
