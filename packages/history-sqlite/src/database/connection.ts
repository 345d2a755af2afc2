import type { SqliteDatabase, SqliteStatement } from "../driver/sqlite-driver.js"
import type { HistoryShape } from "../schema/history-shape.js"

export type FileState = Pick<Connection, "access" | "isIndexed" | "shape">

/** An open history database: its statements, each prepared once, and its transactions. */
export class Connection {
  readonly path: string
  /** `"read"` if it was opened for reading, or the schema of the file is newer than this library. */
  readonly access: "write" | "read"
  /** Whether the file has the indexes of this version of the library. */
  readonly isIndexed: boolean
  readonly shape: HistoryShape
  readonly db: SqliteDatabase
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(db: SqliteDatabase, path: string, { access, isIndexed, shape }: FileState) {
    this.db = db
    this.path = path
    this.access = access
    this.isIndexed = isIndexed
    this.shape = shape
  }

  /** The same database, for reading without its damaged indexes. */
  withoutIndexes(): Connection {
    return new Connection(this.db, this.path, { access: "read", isIndexed: false, shape: this.shape })
  }

  sql(text: string): SqliteStatement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** Runs changes in a transaction that takes the write lock first: upgrading a read lock later could not wait. */
  transaction<Result>(changes: () => Result): Result {
    return inTransaction(this.db, changes)
  }

  close(): void {
    this.db.close()
  }
}

export function inTransaction<Result>(db: SqliteDatabase, changes: () => Result): Result {
  db.exec("BEGIN IMMEDIATE")
  try {
    const result = changes()
    db.exec("COMMIT")
    return result
  } catch (error) {
    // SQLite rolls back by itself when the disk is full or the file damaged.
    if (db.inTransaction) db.exec("ROLLBACK")
    throw error
  }
}
