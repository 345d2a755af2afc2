import { rmSync } from "node:fs"
import { TreelogError } from "@treelog/session-core"
import {
  DatabaseFile,
  prepareToWrite,
  SqliteConnection,
  type SqliteDriver,
  waitForLocks,
} from "@treelog-internal/sqlite"
import { indexClosed } from "./load-driver.js"
import { ensureSchema, isForeign } from "./schema.js"
import { removeSession } from "./tables/remove-facts.js"
import { SessionRows } from "./tables/session-rows.js"
import type { CopySource } from "./tables/source-rows.js"
import { storableText } from "./tables/storable-text.js"
import { storeUsageSums } from "./tables/usage-sums.js"

export type IndexFile = DatabaseFile<SqliteConnection>

export interface IndexFileOptions {
  readonly path: string
  /** By their names. */
  readonly sources: ReadonlyMap<string, CopySource>
  readonly loadDriver: () => Promise<SqliteDriver>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onDamaged: () => void
  readonly onUnwritable: ((error: Error) => void) | undefined
}

/** The database of an index. A damaged one is deleted: everything in it can be derived again. */
export function indexFile({ onDamaged, sources, ...options }: IndexFileOptions): IndexFile {
  return new DatabaseFile({
    ...options,
    isDerived: true,
    onQuarantine: (path) => {
      for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
      onDamaged()
    },
    what: "The index of sessions",
    open: openIndex,
    settle: async (connection) => storeSources(connection, sources),
    repair: async () => false,
    closed: indexClosed,
  })
}

/** A larger cache makes nothing faster: FTS5 collects in memory of its own, and what is read again is in that of the system. KiB. */
const CACHE = 8 * 1024
/**
 * What FTS5 frees when it merges is derived from the sessions: overwriting it would double what is written. Pages that several
 * transactions change are moved from the log to the database once. In pages.
 */
const FOR_MANY = `PRAGMA cache_size = -${CACHE}; PRAGMA secure_delete = OFF; PRAGMA wal_autocheckpoint = 8000`

export function openIndex(driver: SqliteDriver, path: string): SqliteConnection {
  const db = driver.open(path)
  try {
    waitForLocks(db)
    if (isForeign(db)) throw foreign(path)
    prepareToWrite(db)
    db.exec(FOR_MANY)
    ensureSchema(db)
    return new SqliteConnection(db, path)
  } catch (error) {
    db.close()
    throw error
  }
}

function foreign(path: string): TreelogError<"StorageError"> {
  const data = { key: path, operation: "open", errno: undefined }
  return new TreelogError("StorageError", `${path} is a database, but not an index of sessions.`, data)
}

/**
 * Makes sources known, in a transaction of its own where some are new or are another agent's now, as a folder is that was named by its path before.
 * What is known of the sessions of those names the former agent, and which copies count depends on it: they are read anew.
 */
function storeSources(connection: SqliteConnection, sources: ReadonlyMap<string, CopySource>): void {
  const known = connection.sql("SELECT n FROM source WHERE name = ? AND agent = ? AND rank = ?")
  const put = `
    INSERT INTO source(name, agent, rank) VALUES (?, ?, ?)
    ON CONFLICT(name) DO UPDATE SET agent = excluded.agent, rank = excluded.rank`
  const stored = [...sources].map(([name, { agent, rank }]) => [storableText(name), agent, rank] as const)
  const isOther = (row: (typeof stored)[number]): boolean => known.get(...row) === undefined
  if (!stored.some(isOther)) return
  connection.transaction(() => {
    for (const row of stored.filter(isOther)) {
      removeSessions(connection, row[0])
      connection.sql(put).run(...row)
    }
    storeUsageSums(connection)
  })
}

function removeSessions(connection: SqliteConnection, name: string): void {
  const sessions = new SessionRows(connection)
  const find = connection.sql("SELECT n FROM session WHERE source = (SELECT n FROM source WHERE name = ?)")
  for (const { n } of find.all<{ n: number }>(name)) removeSession(connection, sessions, n)
}
