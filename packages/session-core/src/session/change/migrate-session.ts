import { TreelogError } from "../../errors.js"
import type { SessionLog } from "../../log/session-log.js"
import { type MigrationReport, migrate } from "../../migrate/migrate.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import type { SessionFactory } from "../session-factory.js"
import { assembled } from "../stored/assembled.js"
import { readWholeLog } from "../stored/read-stored.js"
import { assertSupported } from "../supported.js"
import { copyParts } from "./copy-parts.js"

/** What a migration of a stored session did, or would do. */
export interface StoredMigration {
  /** The storage's key of the session. */
  readonly path: string
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
  /** Where the session is kept as it was; undefined when nothing was written. */
  readonly backup: string | undefined
}

export async function migrateSession(factory: SessionFactory, key: string, dryRun: boolean): Promise<StoredMigration> {
  const { storage } = factory
  const lease = dryRun ? undefined : await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    const stat = await storage.stat(key)
    if (!stat) throw new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref: key })
    const log = await readWholeLog(storage, key, stat)
    assertSupported(log, key)
    const { report } = migrate(log)
    const stored = lease && report ? await migrateStored(storage, lease, log, stat) : undefined
    return { path: key, report, backup: stored?.kept }
  } finally {
    await lease?.release()
  }
}

/** Rewrites a session of an older version, with a backup beside it (FORMAT.md, section 3). */
export async function migrateStored(
  storage: SessionStorage,
  lease: Lease,
  log: SessionLog,
  expected: StorageStat,
): Promise<{ kept?: string }> {
  const parts = copyParts(log, (header) => header)
  const source = { from: lease.key, identity: expected.identity }
  return lease.replace(assembled(storage, parts, source), { expected, keepAs: `.v${log.version}.bak` })
}
