// What this package needs of SQLite: the part of better-sqlite3's face that it uses. Another driver with this face
// will do.

/** What a column holds. */
export type SqliteValue = string | number | Uint8Array | null

/** What is used of a prepared statement. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get<Row>(...values: SqliteValue[]): Row | undefined
  all<Row>(...values: SqliteValue[]): Row[]
  iterate<Row>(...values: SqliteValue[]): IterableIterator<Row>
}

/** What is used of an open database. */
export interface SqliteDatabase {
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  /** With `simple`, the first column of the first row. */
  pragma(pragma: string, options: { simple: true }): unknown
  close(): unknown
}

/** Opens databases. */
export interface SqliteDriver {
  /**
   * @param database a path; or the bytes of a database (a `Buffer`), which is then held in memory
   * @param options `timeout`: milliseconds that a statement waits for a lock, while nothing else runs
   */
  new (database: string | Buffer, options?: { timeout?: number }): SqliteDatabase
}
