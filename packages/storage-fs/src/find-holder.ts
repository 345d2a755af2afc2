import type { FsPort } from "./fs-port.js"
import { readLock } from "./lock-file.js"
import { hasEnded } from "./process-identity.js"
import { realPath } from "./real-path.js"
import { translated } from "./storage-error.js"

/** Who holds a session for writing; without a process where the lock does not tell. */
export interface LeaseHolder {
  readonly pid?: number
  readonly host?: string
  /** ISO 8601. */
  readonly since: string
}

/** A lock that cannot be read counts as held: whoever wants the session will see how old it is. */
export function findHolder(fs: FsPort, key: string): Promise<LeaseHolder | undefined> {
  return translated(key, "look for the lock of", async () => {
    const found = await readLock(fs, `${await realPath(fs, key)}.lock`)
    if (found === undefined) return undefined
    const { record, modified } = found
    if (record === undefined) return { since: new Date(modified).toISOString() }
    const { pid, host, since } = record
    return (await hasEnded(record)) ? undefined : { pid, host, since }
  })
}
