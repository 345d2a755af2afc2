import {
  FILE_MODE,
  type FsPort,
  isErrno,
  type OpenFile,
  placeNew,
  READ_NO_LINK,
  readWhole,
  type TemporaryFiles,
  writeWhole,
} from "@treelog-internal/fs"
import { nodeCrypto } from "./lazy-modules.js"
import type { ProcessIdentity } from "./process-identity.js"
import { tempName } from "./temp-file.js"

/** What a lock file says of its owner, as JSON. */
export interface LockRecord extends ProcessIdentity {
  /** Which of the owner's leases holds it; no two are ever the same. */
  readonly token: string
  readonly access: "exclusive" | "shared"
  /** ISO 8601. */
  readonly since: string
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
  return nodeCrypto().randomBytes(8).toString("hex")
}

/** Undefined when there is no lock. */
export async function readLock(fs: FsPort, path: string): Promise<FoundLock | undefined> {
  const file = await openLock(fs, path)
  if (file === undefined) return undefined
  try {
    const { ino, mtimeNs } = await file.stat({ bigint: true })
    const bytes = new Uint8Array(MAX_BYTES)
    const record = parseLock(Buffer.from(bytes.buffer, 0, await readWhole(file, bytes, 0)).toString("utf8"))
    const modified = Number(mtimeNs / 1_000_000n)
    return record === undefined ? { mark: `${ino}-${mtimeNs}`, modified } : { mark: record.token, record, modified }
  } finally {
    await file.close()
  }
}

/** Puts a complete lock where there is none. False when there is one. */
export async function placeLock(
  fs: FsPort,
  path: string,
  record: LockRecord,
  temporaryFiles: TemporaryFiles,
): Promise<boolean> {
  const temp = tempName(path, record.token)
  try {
    await writeLock(fs, temp, record)
    return await placeNew(fs, temp, path)
  } finally {
    await temporaryFiles.discard(temp)
  }
}

/** Puts a complete lock in the place of the one that is there. Only for who holds the claim to it. */
export async function replaceLock(
  fs: FsPort,
  path: string,
  record: LockRecord,
  temporaryFiles: TemporaryFiles,
): Promise<void> {
  const temp = tempName(path, record.token)
  try {
    await writeLock(fs, temp, record)
    await fs.rename(temp, path)
  } catch (error) {
    await temporaryFiles.discard(temp)
    throw error
  }
}

async function openLock(fs: FsPort, path: string): Promise<OpenFile | undefined> {
  try {
    // A link in the place of a lock would be there and not there: an error rather than a wait without end.
    return await fs.open(path, READ_NO_LINK)
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}

// A lock need not outlive a power failure: the next start of the machine makes it stale.
async function writeLock(fs: FsPort, path: string, record: LockRecord): Promise<void> {
  const file = await fs.open(path, "w", FILE_MODE)
  try {
    await writeWhole(file, Buffer.from(`${JSON.stringify(record)}\n`), null)
  } finally {
    await file.close()
  }
}

function parseLock(text: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
