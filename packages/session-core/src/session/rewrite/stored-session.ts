import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import type { LogOutline, SessionLog } from "../../log/session-log.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { assembled } from "../reader/assembled.js"
import { noBytes, readOutline, readWholeLog } from "../reader/read-stored.js"
import { noSessionAt } from "../session-errors.js"
import { assertSupported } from "../supported.js"
import { copyParts } from "./copy-parts.js"

const LF = 0x0a

/** Runs `work` while nobody else can write the session. @throws SessionBusyError */
export async function underLease<T>(
  storage: SessionStorage,
  key: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}

/**
 * Reads the beginning of a session that is to be rewritten, up to its header.
 * @throws SessionNotFoundError, InvalidSessionError, UnsupportedVersionError
 */
export async function readStart(
  storage: SessionStorage,
  key: string,
): Promise<{ stat: StorageStat; outline: LogOutline }> {
  const stat = await storage.stat(key)
  if (!stat) throw noSessionAt(key)
  const outline = await readOutline(storage, key, stat)
  if (!outline) throw noBytes(key)
  assertSupported(outline, key)
  return { stat, outline }
}

/** Reads what a session is copied by: its records only where it is of an older version, since they will change. Fails as `readStart`. */
export async function readToCopy(
  storage: SessionStorage,
  key: string,
): Promise<{ stat: StorageStat; log: SessionLog }> {
  const { stat, outline } = await readStart(storage, key)
  if (outline.version !== CURRENT_VERSION) return { stat, log: await readWholeLog(storage, key, stat) }
  const [last] = await storage.readRange(key, stat.size - 1, 1, stat.identity)
  const end = { size: stat.size, lines: outline.end.lines, terminated: last === LF }
  return { stat, log: { ...outline, records: [], end } }
}

/** Replaces a session by its copy with another header. Of one of an older version a backup is kept. */
export function replaceByCopy(
  storage: SessionStorage,
  lease: Lease,
  { stat, log }: { stat: StorageStat; log: SessionLog },
  reheader?: (header: SessionHeader) => SessionHeader,
): ReturnType<Lease["replace"]> {
  const copy = assembled(storage, copyParts(log, reheader), { from: lease.key, identity: stat.identity })
  const keepAs = log.version === CURRENT_VERSION ? {} : { keepAs: `.v${log.version}.bak` }
  return lease.replace(copy, { expected: stat, ...keepAs })
}
