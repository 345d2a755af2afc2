import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { retryBusy } from "../retry-busy.js"
import { type OpenSnapshot, openSnapshot } from "./read-snapshot.js"

/** So long a database is read again that changes while it is read. Milliseconds. */
const PATIENCE = 500

/**
 * A database that another program writes, read without writing: SQLite gets a copy of the bytes, since opened where it is, even to read, the
 * database would get files beside it. The copy is kept until the database changes; that of a large one is a temporary file.
 */
export class ForeignDatabase {
  readonly #path: string
  readonly #loadDriver: () => Promise<SqliteDriver | undefined>
  #copy: OpenSnapshot | undefined
  #opening: Promise<void> | undefined

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
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined
      })
      await this.#opening
    }
    return this.#copy && query(this.#copy.db)
  }

  async #open(): Promise<void> {
    const driver = await this.#loadDriver()
    const copy = await retryBusy(() => openSnapshot(this.#path, driver), PATIENCE)
    // A query may have waited for this one as well: a copy is closed only when another one takes its place.
    this.#copy?.db.close()
    this.#copy = copy
  }
}
