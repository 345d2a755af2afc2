import type { SqliteConnection } from "@treelog-internal/sqlite"
import { removeSession } from "./remove-facts.js"
import { SessionRows } from "./session-rows.js"
import type { CopySource } from "./source-rows.js"
import { storableText } from "./storable-text.js"
import { storeUsageSums } from "./usage-sums.js"

/**
 * Makes sources known, in a transaction of its own where some are new or are another agent's now, as a folder is that was named by its path before.
 * What is known of the sessions of those names the former agent, and which copies count depends on it: they are read anew.
 */
export function storeSources(connection: SqliteConnection, sources: ReadonlyMap<string, CopySource>): void {
  const known = connection.sql("SELECT n FROM source WHERE name = ? AND agent = ? AND rank = ?")
  const put = `
    INSERT INTO source(name, agent, rank) VALUES (?, ?, ?)
    ON CONFLICT(name) DO UPDATE SET agent = excluded.agent, rank = excluded.rank`
  const stored = [...sources].map(([name, { agent, rank }]) => [storableText(name), agent, rank] as const)
  const isOther = (row: (typeof stored)[number]): boolean => known.get(...row) === undefined
  if (!stored.some(isOther)) return
  connection.transaction(() => {
    for (const row of stored.filter(isOther)) {
      removeSessions(connection, row[0])
      connection.sql(put).run(...row)
    }
    storeUsageSums(connection)
  })
}

function removeSessions(connection: SqliteConnection, name: string): void {
  const sessions = new SessionRows(connection)
  const find = connection.sql("SELECT n FROM session WHERE source = (SELECT n FROM source WHERE name = ?)")
  for (const { n } of find.all<{ n: number }>(name)) removeSession(connection, sessions, n)
}
