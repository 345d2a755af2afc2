import { existsSync } from "node:fs"
import { TreelogError } from "@treelog/session-core"
import type { Connection } from "./database/connection.js"
import { openConnection } from "./database/open-connection.js"
import { retryBusy } from "./database/retry-busy.js"
import { isDamagedIndex, storageError } from "./database/sqlite-fault.js"
import type { SqliteDriver } from "./driver/sqlite-driver.js"

export interface ReadOnlyFileOptions {
  readonly path: string
  readonly loadDriver: () => Promise<SqliteDriver>
}

/** A database file that is only looked at: it is not made, migrated or mended. */
export class ReadOnlyFile {
  readonly #options: ReadOnlyFileOptions
  #opened: Connection | undefined

  constructor(options: ReadOnlyFileOptions) {
    this.#options = options
  }

  /** @returns what the work gives, or `nothing` as long as there is no database. Faults are translated. */
  async look<Result>(operation: string, work: (connection: Connection) => Result, nothing: Result): Promise<Result> {
    const { path, loadDriver } = this.#options
    try {
      const Driver = await loadDriver()
      return await retryBusy(() => {
        this.#opened ??= openExisting(Driver, path)
        return this.#opened === undefined ? nothing : readSoundly(this.#opened, work)
      })
    } catch (error) {
      throw storageError(error, path, operation)
    }
  }

  /** @throws StorageError */
  async change(operation: string): Promise<never> {
    const { path } = this.#options
    const data = { key: path, operation, errno: undefined }
    throw new TreelogError("StorageError", `The prompt history ${path} was opened for reading.`, data)
  }

  async close(): Promise<void> {
    this.#opened?.close()
    this.#opened = undefined
  }
}

/** Undefined where there is no file, or one that nothing was ever written to. */
function openExisting(Driver: SqliteDriver, path: string): Connection | undefined {
  if (!existsSync(path)) return undefined
  const connection = openConnection(Driver, path, "read")
  if (connection.shape.columns.size > 0) return connection
  connection.close()
  return undefined
}

function readSoundly<Result>(connection: Connection, work: (connection: Connection) => Result): Result {
  try {
    return work(connection)
  } catch (error) {
    if (!isDamagedIndex(error)) throw error
    return work(connection.withoutIndexes())
  }
}
