import { rowArrays } from "./driver/row-arrays.js"
import type { SqliteDatabase, SqliteStatement } from "./driver/sqlite-driver.js"
import { BLOCKING_WAIT } from "./retry-busy.js"

/** The page cache; negative numbers are KiB. */
export const CACHE = "PRAGMA cache_size = -32768;"

/** Lets statements wait for locks of other processes, briefly. */
export function waitForLocks(db: SqliteDatabase): void {
  db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT}`)
}

/** Prepares a connection that writes. Sorting in memory leaves no copies in files. */
export function prepareToWrite(db: SqliteDatabase): void {
  pragma(db, "journal_mode = WAL")
  db.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    ${CACHE}`)
}

/** Sets or reads a setting. @returns the first column of the first row */
export function pragma(db: SqliteDatabase, text: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${text}`).get<Record<string, unknown>>() ?? {})[0]
}

/** An open database: its statements, each prepared once, and its transactions. */
export class SqliteConnection {
  readonly path: string
  readonly db: SqliteDatabase
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #arrays = new Map<string, ReturnType<typeof rowArrays>>()

  constructor(db: SqliteDatabase, path: string) {
    this.db = db
    this.path = path
  }

  sql(text: string): SqliteStatement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** A statement whose rows are arrays: for thousands of them. */
  arrays(text: string): ReturnType<typeof rowArrays> {
    const arrays = this.#arrays.get(text) ?? rowArrays(this.db.prepare(text))
    this.#arrays.set(text, arrays)
    return arrays
  }

  /** Runs changes in a transaction that takes the write lock first: upgrading a read lock later could not wait. */
  transaction<Result>(changes: () => Result): Result {
    return inTransaction(this.db, changes)
  }

  /** Runs reads that see the same state, whatever others write meanwhile. */
  snapshot<Result>(reads: () => Result): Result {
    return inTransaction(this.db, reads, "DEFERRED")
  }

  close(): void {
    this.db.close()
  }
}

export function inTransaction<Result>(
  db: SqliteDatabase,
  work: () => Result,
  kind: "IMMEDIATE" | "DEFERRED" = "IMMEDIATE",
): Result {
  db.exec(`BEGIN ${kind}`)
  try {
    const result = work()
    db.exec("COMMIT")
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** Where the disk is full or the file damaged, SQLite has rolled back already. */
function rollBack(db: SqliteDatabase): void {
  try {
    db.exec("ROLLBACK")
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error
  }
}
