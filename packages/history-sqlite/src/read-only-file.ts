import { TreelogError } from "@treelog/session-core"
import { openCopy, retryBusy, type SqliteDriver, toStorageError } from "@treelog-internal/sqlite"
import type { Connection } from "./database/connection.js"
import { connectedToCopy } from "./database/open-connection.js"
import { historyClosed } from "./history-closed.js"

export interface ReadOnlyFileOptions {
  readonly path: string
  readonly loadDriver: () => Promise<SqliteDriver>
}

interface Opened {
  readonly isCurrent: () => boolean
  readonly connection: Connection
}

/**
 * A database file that is only read: neither the file nor its folder is changed or has to be writable. SQLite gets a copy,
 * and a new one when the file has changed.
 */
export class ReadOnlyFile {
  readonly #options: ReadOnlyFileOptions
  #opened: Opened | undefined
  #isClosed = false

  constructor(options: ReadOnlyFileOptions) {
    this.#options = options
  }

  /** @returns the result of `work`, or `nothing` if there is no database. Translates errors of SQLite. */
  async read<Result>(operation: string, work: (connection: Connection) => Result, nothing: Result): Promise<Result> {
    const { path, loadDriver } = this.#options
    try {
      const driver = await loadDriver()
      return await retryBusy(() => {
        const connection = this.#connect(driver)
        return connection === undefined ? nothing : work(connection)
      })
    } catch (error) {
      throw toStorageError(error, "The prompt history", path, operation)
    }
  }

  /** @throws StorageError */
  async change(operation: string): Promise<never> {
    const { path } = this.#options
    const data = { key: path, operation, errno: undefined }
    throw new TreelogError("StorageError", `The prompt history ${path} was opened for reading.`, data)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#drop()
  }

  /** Undefined if there is no file, or an empty one. */
  #connect(driver: SqliteDriver): Connection | undefined {
    if (this.#isClosed) throw historyClosed()
    if (this.#opened?.isCurrent()) return this.#opened.connection
    this.#drop()
    const { path } = this.#options
    const copy = openCopy(driver, path)
    if (copy === undefined) return undefined
    const connection = connectedToCopy(copy.db, path)
    if (connection.shape.columns.size > 0) {
      this.#opened = { isCurrent: copy.isCurrent, connection }
      return connection
    }
    connection.close()
    return undefined
  }

  #drop(): void {
    this.#opened?.connection.close()
    this.#opened = undefined
  }
}
