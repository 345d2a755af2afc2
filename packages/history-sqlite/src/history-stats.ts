import { statSync } from "node:fs"
import type { Connection } from "./database/connection.js"
import type { PromptStats } from "./prompt.js"
import { milliseconds } from "./search/row.js"

interface Counts {
  readonly stored: number
  readonly folders: number
  readonly sessions: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** The statistics without a database. */
export const NOTHING_STORED: PromptStats = {
  stored: 0,
  folders: 0,
  sessions: 0,
  oldest: undefined,
  newest: undefined,
  bytes: 0,
}

export function historyStats(connection: Connection): PromptStats {
  const { columns } = connection.shape
  const distinct = (column: string) => (columns.has(column) ? `count(DISTINCT ${column})` : "0")
  const counts = connection.sql(`
    SELECT count(*) AS stored, ${distinct("cwd")} AS folders, ${distinct("session_id")} AS sessions,
      min(created_at) AS oldest, max(created_at) AS newest FROM history`)
  const { stored, folders, sessions, oldest, newest } = counts.get<Counts>() as Counts
  return {
    stored,
    folders,
    sessions,
    oldest: oldest === null ? undefined : milliseconds(oldest),
    newest: newest === null ? undefined : milliseconds(newest),
    bytes: bytes(connection.path),
  }
}

/** The size of the database and its log. */
function bytes(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}
