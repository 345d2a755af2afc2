import { type MigrationReport, migrate } from "../migrate/migrate.js"
import type { SessionRef } from "../session/listing/resolve-ref.js"
import { readToCopy, replaceByCopy } from "../session/rewrite/stored-session.js"
import type { SessionManager } from "../session/session-manager.js"
import { type ChangeOptions, changeStored } from "./change-options.js"

/** What a migration of a stored session did, or would do. */
export interface StoredMigration {
  /** The storage's key of the session. */
  readonly path: string
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
  /** Where the session is kept as it was; undefined when nothing was written. */
  readonly backup: string | undefined
}

/**
 * Brings a stored session to the current version, and keeps the old one beside it (FORMAT.md, section 3).
 * @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError, SessionBusyError, UnsupportedVersionError
 */
export async function migrateSession(
  sessions: SessionManager,
  ref: SessionRef,
  options: ChangeOptions = {},
): Promise<StoredMigration> {
  return changeStored(sessions, ref, options, async ({ storage, key, lease }) => {
    const read = await readToCopy(storage, key)
    const { report } = migrate(read.log)
    const stored = report && lease && (await replaceByCopy(storage, lease, read))
    return { path: key, report, backup: stored?.kept }
  })
}
