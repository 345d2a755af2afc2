import type { SqliteConnection } from "@treelog-internal/sqlite"
import { type EntryIdentity, FIRST, markLeft, TEXTS, USAGE } from "./copies.js"
import type { SessionRows } from "./session-rows.js"
import { spanOf } from "./usage-spans.js"

interface RemovedEntry extends EntryIdentity {
  readonly n: number
  readonly copies: number
  readonly usage_copies: number | null
}

/** Removes a session and its facts, in the running transaction. */
export function removeSession(connection: SqliteConnection, sessions: SessionRows, session: number): void {
  const removed = removeEntries(connection, session, 0)
  sessions.remove(session)
  markCopies(connection, sessions, removed)
}

/** Removes the facts of a session from a place on, in the running transaction. @param from bytes */
export function removeFrom(connection: SqliteConnection, sessions: SessionRows, session: number, from: number): void {
  markCopies(connection, sessions, removeEntries(connection, session, from))
}

/** Marks the copies of those of removed entries that counted for them. */
function markCopies(connection: SqliteConnection, sessions: SessionRows, removed: readonly RemovedEntry[]): void {
  for (const kind of [TEXTS, USAGE])
    for (const entry of removed) if (entry[kind.column] === FIRST) markLeft(connection, sessions, entry, kind)
}

function removeEntries(connection: SqliteConnection, session: number, from: number): RemovedEntry[] {
  const find = connection.sql(
    "SELECT n, id, stamp, time, content, response, call, copies, usage_copies FROM entry WHERE session = ? AND offset >= ?",
  )
  const entries = find.all<RemovedEntry>(session, from)
  const first = entries[0]?.n
  if (first === undefined) return []
  const removeUsage = connection.sql("DELETE FROM usage WHERE span = ? AND session = ? AND n = ?")
  for (const { n, time } of entries) removeUsage.run(spanOf(time), session, n)
  connection.sql("DELETE FROM file_use WHERE session = ? AND n >= ?").run(session, first)
  connection.sql("DELETE FROM entry WHERE session = ? AND n >= ? AND texts = 0").run(session, first)
  // Their words stay in the index, so their ids must not be used again.
  const remove =
    "UPDATE entry SET session = 0, n = 0, id = '', response = NULL, call = NULL WHERE session = ? AND n >= ?"
  connection.sql(remove).run(session, first)
  return entries
}
