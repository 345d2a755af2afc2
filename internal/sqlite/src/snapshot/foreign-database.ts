import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { retryBusy } from "../retry-busy.js"
import { readSnapshot } from "./read-snapshot.js"

/** So long a database is read again that changes while it is read. Milliseconds. */
const PATIENCE = 500

/**
 * A database that another program writes, read without writing: SQLite gets a copy of the bytes, since opened where it is, even to read, the
 * database would get files beside it. The copy is kept until the database changes.
 */
export class ForeignDatabase {
  readonly #path: string
  readonly #loadDriver: () => Promise<SqliteDriver | undefined>
  #copy: { readonly db: SqliteDatabase; readonly isCurrent: () => boolean } | undefined

  /** @param loadDriver undefined where there is no SQLite */
  constructor(path: string, loadDriver: () => Promise<SqliteDriver | undefined>) {
    this.#path = path
    this.#loadDriver = loadDriver
  }

  /**
   * What `query` makes of the present state; it must not keep the database. Undefined where there is none, or an empty one.
   * @throws StorageError where there is no SQLite; the errors of SQLite and of the file system
   */
  async read<Result>(query: (db: SqliteDatabase) => Result): Promise<Result | undefined> {
    if (!this.#copy?.isCurrent()) {
      this.#copy?.db.close()
      this.#copy = undefined
      const snapshot = await retryBusy(() => readSnapshot(this.#path), PATIENCE)
      if (!snapshot) return undefined
      const driver = await this.#loadDriver()
      if (!driver) throw noDriver(this.#path)
      this.#copy = { db: driver.openCopy(snapshot.bytes), isCurrent: snapshot.isCurrent }
    }
    return query(this.#copy.db)
  }
}

function noDriver(key: string): TreelogError<"StorageError"> {
  const message = `${key} needs SQLite: run \`npm install better-sqlite3\`, or use Node 22.13 or newer, which includes it.`
  return new TreelogError("StorageError", message, { key, operation: "open", errno: undefined })
}
