// The part of better-sqlite3's API that this package uses. Another driver with the same API works too.

/** A value of a column. */
export type SqliteValue = string | number | Uint8Array | null

/** The part of a prepared statement that is used. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get<Row>(...values: SqliteValue[]): Row | undefined
  all<Row>(...values: SqliteValue[]): Row[]
  iterate<Row>(...values: SqliteValue[]): IterableIterator<Row>
}

/** The part of an open database that is used. */
export interface SqliteDatabase {
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  /** With `simple`, returns the first column of the first row. */
  pragma(pragma: string, options: { simple: true }): unknown
  close(): unknown
}

/** The constructor of databases. */
export interface SqliteDriver {
  /**
   * @param database a path; or the bytes of a database (a `Buffer`), which is then held in memory
   * @param options `timeout`: milliseconds that a statement waits for a lock, while nothing else runs
   */
  new (database: string | Buffer, options?: { timeout?: number }): SqliteDatabase
}
