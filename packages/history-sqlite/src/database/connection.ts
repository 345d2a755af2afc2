import type { SqliteDatabase, SqliteStatement } from "../driver/sqlite-driver.js"
import type { HistoryShape } from "../schema/history-shape.js"

export type FileState = Pick<Connection, "access" | "isIndexed" | "shape">

/** An open history database: its statements, each prepared once, and its transactions. */
export class Connection {
  readonly path: string
  /** `"read"` where that is all that was asked for, or the file's schema is newer than this library. */
  readonly access: "write" | "read"
  /** Whether the file has our indexes, as this library knows them. */
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

  /** The same database, to be read where its indexes are damaged. */
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

  /** Runs the changes as one, with the lock for writing taken first: a later upgrade of a read lock could not wait. */
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
    // SQLite rolls back by itself where a file is full or damaged.
    if (db.inTransaction) db.exec("ROLLBACK")
    throw error
  }
}
