import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { retryBusy } from "../retry-busy.js"
import { foreignTables } from "./foreign-tables.js"
import { type DatabaseCopy, databaseVersion, hasDatabase, openCopy } from "./open-copy.js"

/** How long reading is tried again while the database changes. Milliseconds. */
export const PATIENCE = 3_000

/**
 * A database that another program writes, read without writing: SQLite gets a copy, since opened where it is, even to read, the
 * database would get files beside it. The copy is kept until the database changes.
 */
export class ForeignDatabase {
  readonly #path: string
  readonly #loadDriver: () => Promise<SqliteDriver | undefined>
  #copy: (DatabaseCopy & { readonly db: ReturnType<typeof foreignTables> }) | undefined
  #opening: Promise<void> | undefined

  /** @param loadDriver undefined where there is no SQLite */
  constructor(path: string, loadDriver: () => Promise<SqliteDriver | undefined>) {
    this.#path = path
    this.#loadDriver = loadDriver
  }

  /** Changes with the database. @throws the errors of the file system */
  versionNow(): string {
    return databaseVersion(this.#path)
  }

  /**
   * What `query` makes of the present state, whose version it gets where a later change cannot have the same; it must not keep the database. Undefined
   * where there is none, or an empty one.
   * @throws StorageError where there is no SQLite; the errors of SQLite and of the file system
   */
  async read<Result>(query: (db: SqliteDatabase, version?: string) => Result): Promise<Result | undefined> {
    if (!this.#copy?.isCurrent()) {
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined
      })
      await this.#opening
    }
    this.#copy?.db.begin()
    return this.#copy && query(this.#copy.db, this.#copy.version)
  }

  async #open(): Promise<void> {
    // Most machines have no database of most agents, and to load SQLite takes as long as a list.
    const driver = hasDatabase(this.#path) ? await this.#loadDriver() : undefined
    if (!driver && hasDatabase(this.#path)) throw noDriver(this.#path)
    const copy = driver && (await retryBusy(() => openCopy(driver, this.#path), PATIENCE))
    // A query may have waited for this one as well: a copy is closed only when another one takes its place.
    this.#copy?.db.close()
    this.#copy = copy && { ...copy, db: foreignTables(copy.db, this.#path) }
  }
}

function noDriver(key: string): TreelogError<"StorageError"> {
  const message = `${key} needs SQLite: run \`npm install better-sqlite3\`, or use Node 22.13 or newer, which includes it.`
  return new TreelogError("StorageError", message, { key, operation: "open", errno: undefined })
}
