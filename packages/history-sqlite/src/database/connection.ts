import type { SqliteDatabase, SqliteStatement } from "../driver/sqlite-driver.js"
import type { HistoryShape } from "../schema/history-shape.js"

/** An open history database: its statements, each prepared once, and its transactions. */
export class Connection {
  readonly path: string
  /** `"read"` where the file's schema is newer than this library. */
  readonly access: "write" | "read"
  readonly shape: HistoryShape
  readonly db: SqliteDatabase
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(db: SqliteDatabase, path: string, access: "write" | "read", shape: HistoryShape) {
    this.db = db
    this.path = path
    this.access = access
    this.shape = shape
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
