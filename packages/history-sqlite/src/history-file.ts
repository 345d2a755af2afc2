import { TreelogError } from "@treelog/session-core"
import { DatabaseFile, pragma, retryBusy, type SqliteDriver } from "@treelog-internal/sqlite"
import type { Connection } from "./database/connection.js"
import { finishErasing } from "./database/erase-traces.js"
import { openConnection } from "./database/open-connection.js"
import { historyClosed } from "./history-closed.js"
import { replaceWords } from "./schema/reindex.js"

export interface HistoryFileOptions {
  readonly path: string
  readonly loadDriver: () => Promise<SqliteDriver>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onQuarantine: (path: string) => void
}

type Work<Result> = (connection: Connection) => Result | Promise<Result>

/** The database file of a history that is written. */
export class HistoryFile {
  readonly #file: DatabaseFile<Connection>

  constructor(options: HistoryFileOptions) {
    this.#file = new DatabaseFile({
      ...options,
      what: "The prompt history",
      open: openConnection,
      settle,
      repair,
      closed: historyClosed,
    })
  }

  /** Runs work that reads. Translates errors of SQLite. */
  read<Result>(operation: string, work: Work<Result>): Promise<Result> {
    return this.#file.use(operation, work)
  }

  /**
   * Runs work that writes: a transaction, or something idempotent. If it fails because of a lock or a damaged file, it is run again.
   * @throws UnsupportedVersionError when the schema of the file is newer than this library
   */
  async change<Result>(operation: string, work: Work<Result>): Promise<Result> {
    return this.read(operation, (connection) => {
      if (connection.access === "write") return work(connection)
      const message = `The prompt history ${connection.path} was written by a newer program; it can only be read.`
      const version = pragma(connection.db, "user_version")
      throw new TreelogError("UnsupportedVersionError", message, { key: connection.path, version })
    })
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

async function settle(connection: Connection): Promise<void> {
  if (connection.access === "write") await finishErasing(connection)
}

async function repair(connection: Connection): Promise<boolean> {
  if (connection.access !== "write") return false
  await retryBusy(() => replaceWords(connection.db))
  return true
}
