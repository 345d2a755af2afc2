import { type FsPort, withStorageErrors } from "@treelog-internal/fs"
import { readLock } from "./lock-file.js"
import { realPath } from "./real-path.js"
import { isStale } from "./session-lock.js"

/** Who holds a session for writing; without a process where the lock does not tell. */
export interface LeaseHolder {
  readonly pid?: number
  readonly host?: string
  /** ISO 8601. */
  readonly since: string
}

export function findHolder(fs: FsPort, key: string): Promise<LeaseHolder | undefined> {
  return withStorageErrors(key, "look for the lock of", async () => {
    const path = `${await realPath(fs, key)}.lock`
    const found = await readLock(fs, path)
    if (found === undefined || (await isStale(fs, path, found))) return undefined
    const { record, modified } = found
    if (record === undefined) return { since: new Date(modified).toISOString() }
    const { pid, host, since } = record
    return { pid, host, since }
  })
}
