// What treelog uses of SQLite, whichever driver provides it.

/** A value of a column. Texts have no NUL: node:sqlite of Node 22 would cut them there. */
export type SqliteValue = string | number | Uint8Array | null

/** A prepared statement. One is not run again while an iteration over its rows is going on. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  /** The first row; undefined if there is none. */
  get<Row>(...values: SqliteValue[]): Row | undefined
  all<Row>(...values: SqliteValue[]): Row[]
  iterate<Row>(...values: SqliteValue[]): IterableIterator<Row>
}

/** An open database. Errors of SQLite are thrown as the driver makes them. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  /** Runs statements without values. */
  exec(sql: string): unknown
  /** Ends the statements too. */
  close(): unknown
}

export interface SqliteDriver {
  /** For people, such as `better-sqlite3 13.2.0` or `node:sqlite of Node 24.21.0`. */
  readonly name: string
  /** Opens the database at a path; creates it if there is none. */
  open(path: string): SqliteDatabase
}
