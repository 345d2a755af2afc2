import type { SqliteConnection } from "@treelog-internal/sqlite"

interface Kept {
  readonly state: string
  readonly values: Map<string, unknown>
}

/** More than that is dropped. */
const MOST = 16
const kept = new WeakMap<SqliteConnection, Kept>()

/**
 * What is derived from an index, such as which sessions fit a filter: derived once, until the index changes.
 * @param key different for all that is derived
 */
export function remembered<Value>(connection: SqliteConnection, key: string, derive: () => Value): Value {
  const state = stateOf(connection)
  let known = kept.get(connection)
  if (known?.state !== state || known.values.size > MOST) known = { state, values: new Map() }
  kept.set(connection, known)
  if (!known.values.has(key)) known.values.set(key, derive())
  return known.values.get(key) as Value
}

/** Changes with every change of the index, by this connection or by another. */
function stateOf(connection: SqliteConnection): string {
  const others = connection.sql("PRAGMA data_version").get<{ data_version: number }>()
  const own = connection.sql("SELECT total_changes() AS changes").get<{ changes: number }>()
  return `${others?.data_version} ${own?.changes}`
}
