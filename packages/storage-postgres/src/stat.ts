import type { StorageStat } from "@treelog/session-core/adapter"
import type { PostgresRow } from "./client.js"

/** The state in the first row; undefined where there is none. */
export function statIn([row]: readonly PostgresRow[]): StorageStat | undefined {
  if (row?.object == null) return undefined
  return { identity: String(row.object), size: Number(row.size), modified: Number(row.modified) }
}
