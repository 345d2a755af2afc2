import { randomIds } from "@treelog/session-core/adapter"
import { parsedJson } from "@treelog/session-core/json"
import {
  FILE_MODE,
  type FsPort,
  isErrno,
  isStorageFault,
  placeNew,
  READ_NO_LINK,
  readWholeSync,
  type SyncFile,
  type TemporaryFiles,
  writeWholeSync,
} from "@treelog-internal/fs"
import { tempName } from "../write/temp-file.js"
import type { Liveness } from "./liveness-socket.js"
import type { ProcessIdentity } from "./process-identity.js"

// Locks are read and written without promises: each takes some ten microseconds, several times as long through the thread pool, and a
// session that is written synchronously takes the same locks by the same code.

/** What a lock file says of its owner, as JSON. */
export interface LockRecord extends ProcessIdentity {
  /** Which of the owner's leases holds it; no two are ever the same. */
  readonly token: string
  readonly access: "exclusive" | "shared"
  /** ISO 8601. */
  readonly since: string
  /** Where the process can be asked whether it lives, by those who cannot see it. */
  readonly liveness?: Liveness
}

/** A lock file as it was found. The mark is its token; one that cannot be read is marked by its place on the disk. */
export interface FoundLock {
  readonly mark: string
  readonly record?: LockRecord
  /** Milliseconds since 1970. */
  readonly modified: number
}

const MAX_BYTES = 4096

export function newToken(): string {
  return randomIds.entryId() + randomIds.entryId()
}

/** Undefined when there is no lock. */
export function readLock(fs: FsPort, path: string): FoundLock | undefined {
  const file = openLock(fs, path)
  if (file === undefined) return undefined
  try {
    const { ino, mtimeNs } = file.statSync({ bigint: true })
    const bytes = new Uint8Array(MAX_BYTES)
    const record = parseLock(Buffer.from(bytes.buffer, 0, readWholeSync(file, bytes, 0)).toString("utf8"))
    const modified = Number(mtimeNs / 1_000_000n)
    return record === undefined ? { mark: `${ino}-${mtimeNs}`, modified } : { mark: record.token, record, modified }
  } finally {
    file.closeSync()
  }
}

/** Puts a complete lock where there is none. False when there is one. */
export function placeLock(fs: FsPort, path: string, record: LockRecord, temporaryFiles: TemporaryFiles): boolean {
  const temp = tempName(path, record.token)
  try {
    writeLock(fs, temp, record)
    return placeNew(fs, temp, path)
  } finally {
    temporaryFiles.discard(temp)
  }
}

/** Puts a complete lock in the place of the one that is there. Only for who holds the claim to it. */
export function replaceLock(fs: FsPort, path: string, record: LockRecord, temporaryFiles: TemporaryFiles): void {
  const temp = tempName(path, record.token)
  try {
    writeLock(fs, temp, record)
    fs.renameSync(temp, path)
  } catch (error) {
    temporaryFiles.discard(temp)
    throw error
  }
}

/** A lock whose time lies so far back is wanted by others. Milliseconds. */
const LONG_AGO = 24 * 60 * 60 * 1000

/** Asks the process that keeps a lock for its next append to give it up. One that may not be changed is waited for anyway. */
export function askForLock(fs: FsPort, path: string): void {
  try {
    fs.utimesSync(path, 0, 0)
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}

/** Whether another process asked for the lock, or it is gone. */
export function isLockWanted(fs: FsPort, path: string): boolean {
  const found = fs.lstatSync(path)
  return found === undefined || Number(found.mtimeNs / 1_000_000n) < Date.now() - LONG_AGO
}

function openLock(fs: FsPort, path: string): SyncFile | undefined {
  try {
    // A link in the place of a lock would be there and not there: an error rather than a wait without end.
    return fs.openSync(path, READ_NO_LINK)
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}

// A lock need not outlive a power failure: the next start of the machine makes it stale.
function writeLock(fs: FsPort, path: string, record: LockRecord): void {
  const file = fs.openSync(path, "w", FILE_MODE)
  try {
    writeWholeSync(file, Buffer.from(`${JSON.stringify(record)}\n`), null)
  } finally {
    file.closeSync()
  }
}

function parseLock(text: string): LockRecord | undefined {
  const value = parsedJson(text)
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is LockRecord {
  if (typeof value !== "object" || value === null) return false
  const { pid, host, token, since, boot, space, started } = value as Record<string, unknown>
  return (
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof host === "string" &&
    typeof token === "string" &&
    /^[0-9a-f]{16}$/.test(token) &&
    typeof since === "string" &&
    [boot, space, started].every((name) => name === undefined || typeof name === "string")
  )
}
