import { type MigrationReport, migrate } from "../../migrate/migrate.js"
import type { Lease } from "../../ports/session-storage.js"
import type { SessionFactory } from "../session-factory.js"
import { readToCopy, replaceByCopy, underLease } from "./stored-session.js"

/** What a migration of a stored session did, or would do. */
export interface StoredMigration {
  /** The storage's key of the session. */
  readonly path: string
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
  /** Where the session is kept as it was; undefined when nothing was written. */
  readonly backup: string | undefined
}

/** Rewrites a session of an older version, with a backup beside it (FORMAT.md, section 3). */
export function migrateSession({ storage }: SessionFactory, key: string, dryRun: boolean): Promise<StoredMigration> {
  const work = async (lease?: Lease): Promise<StoredMigration> => {
    const read = await readToCopy(storage, key)
    const { report } = migrate(read.log)
    const stored = report && lease && (await replaceByCopy(storage, lease, read))
    return { path: key, report, backup: stored?.kept }
  }
  return dryRun ? work() : underLease(storage, key, work)
}
