import { CURRENT_VERSION, type SessionHeader } from "../../entry/entry.js"
import type { JsonObject } from "../../entry/values.js"
import { encodeText } from "../../log/format-line.js"
import type { Place } from "../../log/line.js"
import type { LogOutline, SessionLog } from "../../log/session-log.js"
import { type ByteEdit, editedParts, type Part } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { migrate } from "../../migrate/migrate.js"
import type { SessionSource, StorageStat } from "../../ports/session-source.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { assembled } from "../reader/assembled.js"
import { noBytes, type ReadableStorage, readOutline, readWholeLog, statToRead } from "../reader/read-stored.js"
import { assertSupported, noSessionAt } from "../session-errors.js"

const LF = 0x0a

/** Runs `work` while no other process can write the session. @throws SessionBusyError */
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
  storage: ReadableStorage,
  key: string,
): Promise<{ stat: StorageStat; outline: LogOutline }> {
  const stat = await statToRead(storage, key)
  if (!stat) throw noSessionAt(key)
  const outline = await readOutline(storage, key, stat)
  if (!outline) throw noBytes(key)
  assertSupported(outline, key)
  return { stat, outline }
}

/** Reads what a session is copied by: its records only where it is of an older version, since they will change. Fails as `readStart`. */
export async function readToCopy(
  storage: ReadableStorage,
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
  storage: SessionSource,
  lease: Lease,
  { stat, log }: { stat: StorageStat; log: SessionLog },
  reheader?: (header: SessionHeader) => SessionHeader,
): ReturnType<Lease["replace"]> {
  const copy = assembled(storage, copyParts(log, reheader), { from: lease.key, identity: stat.identity })
  const keepAs = log.version === CURRENT_VERSION ? {} : { keepAs: `.v${log.version}.bak` }
  return lease.replace(copy, { expected: stat, ...keepAs })
}

/**
 * The parts of a copy of a whole session in the current version: every line that does not change is copied as bytes, faulty ones
 * included, and a torn last line gets its line end.
 * @param reheader makes the header of the copy from that of the current version
 */
export function copyParts(log: SessionLog, reheader = (header: SessionHeader) => header): Part[] {
  const migrated = migrate(log)
  const edits: ByteEdit[] = [recordEdit(log.headerPlace, log.header, reheader(migrated.header))]
  migrated.records.forEach((record, index) => {
    const before = log.records[index]
    if (before && record !== before) edits.push(recordEdit(record.place, before.value, record.value))
  })
  const parts = editedParts(log.end.size, edits)
  return log.end.terminated ? parts : [...parts, { bytes: encodeText("\n") }]
}

/** Changes a record in its place, and leaves its line end alone. */
function recordEdit({ offset, length }: Place, before: JsonObject, after: JsonObject): ByteEdit {
  return { offset, length, bytes: (raw) => spliceLine(raw, before, after) }
}
