import { isTreelogError, TreelogError } from "../errors.js"
import { DatabaseTable, OBJECTS, openDatabase, PIECES } from "./object-table.js"
import type { Database } from "./platform.js"

/** Runs work in transactions of one database, which is opened when it is first needed. */
export class Transactions {
  readonly #name: string
  #database: Promise<Database> | undefined

  constructor(name: string) {
    this.#name = name
  }

  /**
   * Runs `work` in one transaction: when this resolves, all of its changes are stored; when it rejects, none. `work` must await only
   * calls of the table, since a transaction ends when it has no pending request.
   * @param key the key for errors
   * @throws StorageError, and the treelog errors of `work`
   */
  async run<T>(
    key: string,
    operation: string,
    mode: "readonly" | "readwrite",
    work: (table: DatabaseTable) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#run(mode, work)
    } catch (error) {
      if (isTreelogError(error)) throw error
      const errno = error instanceof Error ? error.name : undefined
      const message = `The database ${this.#name} could not ${operation} ${key}: ${error instanceof Error ? error.message : String(error)}`
      throw new TreelogError("StorageError", message, { key, operation, errno }, { cause: error })
    }
  }

  async #run<T>(mode: "readonly" | "readwrite", work: (table: DatabaseTable) => Promise<T>): Promise<T> {
    const transaction = (await this.#open()).transaction([OBJECTS, PIECES], mode, { durability: "strict" })
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    const working = work(new DatabaseTable((name) => transaction.objectStore(name))).catch((error: unknown) => {
      // A failed request has aborted it already, and aborting twice throws.
      if (transaction.error === null) transaction.abort()
      throw error
    })
    const [outcome, end] = await Promise.allSettled([working, ended])
    if (outcome.status === "rejected") throw outcome.reason
    if (end.status === "rejected") throw end.reason
    return outcome.value
  }

  async close(): Promise<void> {
    const opened = this.#database
    this.#database = undefined
    const [database] = await Promise.allSettled([opened])
    if (database.status === "fulfilled") database.value?.close()
  }

  #open(): Promise<Database> {
    this.#database ??= openDatabase(this.#name).then(
      (database) => {
        // Somebody wants to remove the database, which waits until all connections are closed.
        database.onversionchange = () => void this.close()
        return database
      },
      (error) => {
        this.#database = undefined
        throw error
      },
    )
    return this.#database
  }
}
