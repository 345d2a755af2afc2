import { TreelogError } from "@treelog/session-core"
import type { Connection } from "./database/connection.js"
import { finishErasing } from "./database/erase-traces.js"
import { makeFile, openConnection } from "./database/open-connection.js"
import { fileIdentity, quarantine } from "./database/quarantine.js"
import { retryBusy } from "./database/retry-busy.js"
import { isDamaged, isDamagedIndex, storageError } from "./database/sqlite-fault.js"
import type { SqliteDriver } from "./driver/sqlite-driver.js"
import { historyClosed } from "./history-closed.js"
import { indexAllChanges } from "./indexing/index-changes.js"
import { rebuildIndexes } from "./schema/rebuild-indexes.js"

export interface HistoryFileOptions {
  readonly path: string
  readonly loadDriver: () => Promise<SqliteDriver>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onQuarantine: (path: string) => void
}

type Work<Result> = (connection: Connection) => Result | Promise<Result>

/**
 * The database file: opened when it is first needed, and repaired when it is damaged. Damaged indexes are rebuilt; a file that SQLite
 * cannot read is renamed, and a new one is created at its path.
 */
export class HistoryFile {
  readonly #options: HistoryFileOptions
  #opening: Promise<Connection> | undefined
  #identity: string | undefined
  #isClosed = false

  constructor(options: HistoryFileOptions) {
    this.#options = options
  }

  /** Runs work that reads. Translates errors of SQLite. */
  async read<Result>(operation: string, work: Work<Result>): Promise<Result> {
    try {
      return await this.#attempt(work)
    } catch (error) {
      throw storageError(error, this.#options.path, operation)
    }
  }

  /**
   * Runs work that writes: a transaction, or something idempotent. If it fails because of
   * a lock or a damaged file, it is run again.
   * @throws UnsupportedVersionError when the schema of the file is newer than this library
   */
  async change<Result>(operation: string, work: Work<Result>): Promise<Result> {
    return this.read(operation, (connection) => {
      if (connection.access === "write") return work(connection)
      const message = `The prompt history ${connection.path} was written by a newer program; it can only be read.`
      const version = connection.db.pragma("user_version", { simple: true })
      throw new TreelogError("UnsupportedVersionError", message, { key: connection.path, version })
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const [opened] = await Promise.allSettled([this.#opening])
    this.#opening = undefined
    if (opened.status === "fulfilled") opened.value?.close()
  }

  async #attempt<Result>(work: Work<Result>): Promise<Result> {
    this.#assertOpen()
    this.#opening ??= this.#open()
    const opening = this.#opening
    try {
      return await this.#once(opening, work)
    } catch (error) {
      if (!isDamaged(error)) throw error
      // If several calls find the damage, the first repairs it.
      if (this.#opening === undefined || this.#opening === opening) this.#opening = this.#repair(opening, error)
      return this.#once(this.#opening, work)
    }
  }

  async #once<Result>(opening: Promise<Connection>, work: Work<Result>): Promise<Result> {
    const [opened] = await Promise.allSettled([opening])
    this.#assertOpen()
    if (opened.status === "fulfilled") return retryBusy(() => work(opened.value))
    if (this.#opening === opening) this.#opening = undefined
    throw opened.reason
  }

  #assertOpen(): void {
    if (this.#isClosed) throw historyClosed()
  }

  async #open(): Promise<Connection> {
    const { path, loadDriver } = this.#options
    const Driver = await loadDriver()
    makeFile(path)
    this.#identity = fileIdentity(path)
    const connection = await retryBusy(() => openConnection(Driver, path))
    if (connection.access !== "write") return connection
    await indexAllChanges(connection)
    await finishErasing(connection)
    return connection
  }

  async #repair(opening: Promise<Connection>, damage: unknown): Promise<Connection> {
    const [opened] = await Promise.allSettled([opening])
    if (opened.status === "fulfilled") {
      if (isDamagedIndex(damage) && (await repairIndexes(opened.value))) return opened.value
      opened.value.close()
    }
    const { path, now, onQuarantine } = this.#options
    const movedTo = quarantine(path, this.#identity, now())
    if (movedTo !== undefined) onQuarantine(movedTo)
    return this.#open()
  }
}

/** @returns false if more than the indexes is damaged */
async function repairIndexes(connection: Connection): Promise<boolean> {
  if (connection.access !== "write") return false
  try {
    await retryBusy(() => rebuildIndexes(connection.db))
    await indexAllChanges(connection)
    return true
  } catch (error) {
    if (!isDamaged(error)) throw error
    return false
  }
}
