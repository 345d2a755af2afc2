import { TreelogError } from "@treelog/session-core"
import type { Connection } from "./database/connection.js"
import { openConnection } from "./database/open-connection.js"
import { retryBusy } from "./database/retry-busy.js"
import { fileIdentity, setAside } from "./database/set-aside.js"
import { isDamaged, isDamagedIndex, storageError } from "./database/sqlite-fault.js"
import type { SqliteDriver } from "./driver/sqlite-driver.js"
import { indexAllChanges } from "./indexing/index-changes.js"
import { rebuildIndexes } from "./schema/rebuild-indexes.js"

export interface HistoryFileOptions {
  readonly path: string
  readonly loadDriver: () => Promise<SqliteDriver>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onSetAside: (path: string) => void
}

type Work<Result> = (connection: Connection) => Result

/**
 * The database file: opened when it is first needed, and mended when it turns out to be damaged. An index is made anew; a
 * file that SQLite cannot read is renamed, and a fresh one made at its path.
 */
export class HistoryFile {
  readonly #options: HistoryFileOptions
  #opening: Promise<Connection> | undefined
  #identity: string | undefined

  constructor(options: HistoryFileOptions) {
    this.#options = options
  }

  /**
   * Does some work with the open file; again, where it failed for want of a lock, or of a sound file. It is a transaction, or
   * does nothing the second time. Faults are translated.
   */
  async use<Result>(operation: string, work: Work<Result>): Promise<Result> {
    try {
      return await this.#attempt(work)
    } catch (error) {
      throw storageError(error, this.#options.path, operation)
    }
  }

  /** The same for work that writes. @throws UnsupportedVersionError where the file's schema is newer than this library */
  async change<Result>(operation: string, work: Work<Result>): Promise<Result> {
    return this.use(operation, (connection) => {
      if (connection.access === "write") return work(connection)
      const message = `The prompt history ${connection.path} was written by a newer program; it can only be read.`
      const version = connection.db.pragma("user_version", { simple: true })
      throw new TreelogError("UnsupportedVersionError", message, { key: connection.path, version })
    })
  }

  async close(): Promise<void> {
    const [opened] = await Promise.allSettled([this.#opening])
    this.#opening = undefined
    if (opened.status === "fulfilled") opened.value?.close()
  }

  async #attempt<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await this.#once(work)
    } catch (error) {
      if (!isDamaged(error)) throw error
      if (!isDamagedIndex(error) || !(await this.#mendIndexes())) await this.#startAfresh()
      return this.#once(work)
    }
  }

  async #once<Result>(work: Work<Result>): Promise<Result> {
    this.#opening ??= this.#open()
    const connection = await this.#opening.catch((error) => {
      this.#opening = undefined
      throw error
    })
    return retryBusy(() => work(connection))
  }

  async #open(): Promise<Connection> {
    const Driver = await this.#options.loadDriver()
    const connection = await retryBusy(() => {
      const opened = openConnection(Driver, this.#options.path)
      this.#identity = fileIdentity(this.#options.path)
      return opened
    })
    if (connection.access === "write") await indexAllChanges(connection)
    return connection
  }

  /** @returns false where that fails as well */
  async #mendIndexes(): Promise<boolean> {
    const connection = await this.#opening
    if (connection?.access !== "write") return false
    try {
      await retryBusy(() => rebuildIndexes(connection.db))
      await indexAllChanges(connection)
      return true
    } catch (error) {
      if (!isDamaged(error)) throw error
      return false
    }
  }

  async #startAfresh(): Promise<void> {
    const { path, now, onSetAside } = this.#options
    const identity = this.#identity ?? fileIdentity(path)
    await this.close()
    this.#identity = undefined
    const aside = setAside(path, identity, now())
    if (aside !== undefined) onSetAside(aside)
  }
}
