import { type FsPort, type TemporaryFiles, withStorageErrors } from "@treelog-internal/fs"
import { type FoundLock, type LockRecord, newToken, placeLock, readLock, replaceLock } from "./lock-file.js"
import { isAbandonedLock, placesOfLock } from "./own-locks.js"
import { hasEnded } from "./process-identity.js"
import { realPath } from "./stored-stat.js"
import { tempName } from "./temp-file.js"

// Why there are never two holders.
//
// A lock appears complete, by a call that fails where one is, and is removed by its owner alone. So a lock changes
// hands unasked only when its owner is dead, or this process knows that no lease of its own relies on it (own-locks.ts); then
// it does not change by itself: with the token T it stays until someone takes it over. Who wants to do that first takes the claim to T, a lock of its own name (`<lock>.T`), by
// this very algorithm; so there is one such at a time. Holding the claim, it reads the lock again. If the lock still has T, no
// one else can replace it now, and a rename puts its own in the place; if not, someone was faster, and it starts anew.
// No token comes twice, so a claim that a crash leaves behind stands in nobody's way: if T is still there, the claim is
// stale and is taken over in turn; if not, nobody will ever ask for it again.
//
// A lock that cannot be read has no owner to ask. It can be a reservation on a file system without hard links, which
// lasts for an instant, or what a power failure left. It counts as held for a moment around its time; one whose time is far
// ahead was made before the clock was set back.

const UNREADABLE_IS_HELD_MS = 10_000

/**
 * Tries once to take the lock. Resolves to undefined when it is taken, else to the lock that stands in the way.
 * `settle` is called with the token of an owner that died, to remove what it left behind.
 */
export async function takeLock(
  fs: FsPort,
  path: string,
  record: LockRecord,
  temporaryFiles: TemporaryFiles,
  settle: (token: string) => Promise<void> = async () => {},
): Promise<FoundLock | undefined> {
  for (;;) {
    const found = await readLock(fs, path)
    if (found === undefined) {
      if (await placeLock(fs, path, record, temporaryFiles)) return undefined
    } else if (await isStale(fs, path, found)) {
      const outcome = await takeOver(found)
      if (outcome !== "moved") return outcome
    } else return found
  }

  async function takeOver(stale: FoundLock): Promise<FoundLock | undefined | "moved"> {
    const claimPath = `${path}.${stale.mark}`
    const claim = { ...record, token: newToken() }
    const claimer = await takeLock(fs, claimPath, claim, temporaryFiles)
    if (claimer !== undefined) return claimer
    try {
      if ((await readLock(fs, path))?.mark !== stale.mark) return "moved"
      await fs.rm(tempName(path, stale.mark), { recursive: true, force: true })
      await settle(stale.mark)
      await replaceLock(fs, path, record, temporaryFiles)
      return undefined
    } finally {
      await temporaryFiles.discard(claimPath)
    }
  }
}

/** Removes the lock if it is still the token's; resolves to whether it was. */
export async function dropLock(fs: FsPort, path: string, token: string): Promise<boolean> {
  if ((await readLock(fs, path))?.mark !== token) return false
  await fs.unlink(path)
  return true
}

/** Whether nobody relies on the lock any more. */
export async function isStale(fs: FsPort, path: string, { mark, record, modified }: FoundLock): Promise<boolean> {
  if (record === undefined) return Math.abs(Date.now() - modified) > UNREADABLE_IS_HELD_MS
  return isAbandonedLock(mark) || (await hasMoved(fs, path, mark)) || hasEnded(record)
}

/** Whether a lease of this process put the lock elsewhere, and it is not there any more. Where it is, both paths lead to one file. */
async function hasMoved(fs: FsPort, path: string, token: string): Promise<boolean> {
  const places = placesOfLock(token)
  if (places === undefined || places.has(path)) return false
  for (const place of places) if ((await readLock(fs, place))?.mark === token) return false
  return true
}

/** Who holds a session for writing; without a process where the lock cannot be read. */
export interface LeaseHolder {
  readonly pid?: number
  readonly host?: string
  /** ISO 8601. */
  readonly since: string
}

export function findHolder(fs: FsPort, key: string): Promise<LeaseHolder | undefined> {
  return withStorageErrors(key, "find the lock of", async () => {
    const path = `${await realPath(fs, key)}.lock`
    const found = await readLock(fs, path)
    if (found === undefined || (await isStale(fs, path, found))) return undefined
    const { record, modified } = found
    if (record === undefined) return { since: new Date(modified).toISOString() }
    const { pid, host, since } = record
    return { pid, host, since }
  })
}
