import type { SqliteConnection } from "@treelog-internal/sqlite"
import { copiesOf, type EntryIdentity, type EntryPlace, FIRST, NO_COPY, oldestOf } from "../tables/copies.js"
import type { SessionRows } from "../tables/session-rows.js"
import type { FittingSessions } from "./session-filter.js"

/** Whether an entry is the one of its copies that counts: that of the oldest session that fits. */
export function isCounted(
  connection: SqliteConnection,
  sessions: SessionRows,
  entry: EntryIdentity & EntryPlace & { readonly copies: number },
  fitting: FittingSessions,
): boolean {
  if (entry.copies === NO_COPY) return true
  if (fitting === undefined) return entry.copies === FIRST
  const oldest = oldestOf(
    sessions,
    copiesOf(connection, entry).filter(({ session }) => fitting.has(session)),
  )
  return oldest?.session === entry.session && oldest.n === entry.n
}
