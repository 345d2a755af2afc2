import { CURRENT_VERSION } from "../../entry/header.js"
import { type SessionLog, versionOf } from "../../log/session-log.js"
import { type MigrationReport, migrate } from "../../migrate/migrate.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { assembled } from "../reader/assembled.js"
import { readHeader } from "../reader/read-header.js"
import { noBytes, readWholeLog } from "../reader/read-stored.js"
import { changed } from "../reader/stored-tail.js"
import { noSessionAt } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
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
    if (!stat) throw noSessionAt(key)
    const header = await readHeader(storage, key)
    if (!header) throw noBytes(key)
    const version = versionOf(header)
    assertSupported({ header, version }, key)
    if (version === CURRENT_VERSION) return { path: key, report: undefined, backup: undefined }
    const log = await readWholeLog(storage, key, stat)
    const stored = lease && (await replaceWith(storage, lease, log, stat))
    return { path: key, report: migrate(log).report, backup: stored?.kept }
  } finally {
    await lease?.release()
  }
}

/** Rewrites a session of an older version, with a backup beside it (FORMAT.md, section 3). */
export async function migrateStored(
  storage: SessionStorage,
  lease: Lease,
  version: number,
  expected: StorageStat,
): Promise<void> {
  const log = await readWholeLog(storage, lease.key, expected)
  if (log.version !== version) throw changed(lease.key, "replaced")
  await replaceWith(storage, lease, log, expected)
}

function replaceWith(
  storage: SessionStorage,
  lease: Lease,
  log: SessionLog,
  expected: StorageStat,
): ReturnType<Lease["replace"]> {
  const source = { from: lease.key, identity: expected.identity }
  const parts = copyParts(log, (header) => header)
  return lease.replace(assembled(storage, parts, source), { expected, keepAs: `.v${log.version}.bak` })
}
