import type { SqliteStatement, SqliteValue } from "./sqlite-driver.js"

/** What drivers have to return rows without the names of their columns: better-sqlite3, Node 22.16 and newer, and Bun. */
export interface ArrayStatement extends SqliteStatement {
  raw?(isWanted: boolean): unknown
  setReturnArrays?(isWanted: boolean): void
  values?(...values: SqliteValue[]): unknown[][]
}

type RowArrays = (...values: SqliteValue[]) => unknown[][]

/** Makes a statement return its rows as arrays, in the order of their columns: for thousands of rows, which need no objects. */
export function rowArrays(statement: ArrayStatement): RowArrays {
  if (statement.values) return statement.values
  statement.raw?.(true)
  statement.setReturnArrays?.(true)
  if (statement.raw || statement.setReturnArrays) return (...values) => statement.all<unknown[]>(...values)
  return (...values) => statement.all<object>(...values).map((row) => Object.values(row))
}
