import { type FsPort, type TemporaryFiles, withStorageErrors } from "@treelog-internal/fs"
import { realPath } from "../stored-stat.js"
import { tempName } from "../write/temp-file.js"
import { lifeOf } from "./liveness-socket.js"
import { type FoundLock, type LockRecord, newToken, placeLock, readLock, replaceLock } from "./lock-file.js"
import { isAbandonedLock, placesOfLock } from "./own-locks.js"

// Why there are never two holders.
//
// A lock appears complete, by a call that fails where one is, and is removed by its owner alone. So a lock changes
// hands unasked only when its owner is dead, or this process knows that no lease of its own relies on it (own-locks.ts); then
// it does not change by itself: with the token T it stays until someone takes it over. Who wants to do that first takes the claim to T, a lock of its own name (`<lock>.T`), by
// this very algorithm; so there is one such at a time. Holding the claim, it reads the lock again. If the lock still has T, no
// one else can replace it now, and a rename puts its own in the place; if not, someone was faster, and it starts anew.
// No token comes twice, so a claim that a crash leaves behind blocks no other process: if T is still there, the claim is
// stale and is taken over in turn; if not, it is never asked for again.
//
// A lock that cannot be read has no owner to ask. It can be a reservation on a file system without hard links, which
// lasts for an instant, or what a power failure left. It counts as held for a moment around its time; one whose time is far
// ahead was made before the clock was set back.

const UNREADABLE_IS_HELD_MS = 10_000

/**
 * Tries once to take the lock. Undefined when it is taken, else the lock that stands in the way.
 * @param settle called with the token of an owner that died, to remove what it left behind
 */
export function takeLock(
  fs: FsPort,
  path: string,
  record: LockRecord,
  temporaryFiles: TemporaryFiles,
  settle: (token: string) => void = () => {},
): FoundLock | undefined {
  for (;;) {
    // As a rule there is none, and to find that by a failing open takes longer.
    const found = fs.lstatSync(path) && readLock(fs, path)
    if (found === undefined) {
      if (placeLock(fs, path, record, temporaryFiles)) return undefined
    } else if (isStale(fs, path, found)) {
      const outcome = takeOver(found)
      if (outcome !== "moved") return outcome
    } else return found
  }

  function takeOver(stale: FoundLock): FoundLock | undefined | "moved" {
    const claimPath = `${path}.${stale.mark}`
    const claim = { ...record, token: newToken() }
    const claimer = takeLock(fs, claimPath, claim, temporaryFiles)
    if (claimer !== undefined) return claimer
    try {
      if (readLock(fs, path)?.mark !== stale.mark) return "moved"
      fs.rmSync(tempName(path, stale.mark), { recursive: true, force: true })
      settle(stale.mark)
      replaceLock(fs, path, record, temporaryFiles)
      return undefined
    } finally {
      temporaryFiles.discard(claimPath)
    }
  }
}

/** Removes the lock if it is still the token's, and returns whether it was. */
export function dropLock(fs: FsPort, path: string, token: string): boolean {
  if (readLock(fs, path)?.mark !== token) return false
  fs.unlinkSync(path)
  return true
}

/** Whether no process relies on the lock any more. */
export function isStale(fs: FsPort, path: string, { mark, record, modified }: FoundLock): boolean {
  if (record === undefined) return Math.abs(Date.now() - modified) > UNREADABLE_IS_HELD_MS
  return isAbandonedLock(mark) || hasMoved(fs, path, mark) || lifeOf(path, record) === "ended"
}

/** Whether a lease of this process put the lock elsewhere, and it is not there any more. Where it is, both paths lead to one file. */
function hasMoved(fs: FsPort, path: string, token: string): boolean {
  const places = placesOfLock(token)
  if (places === undefined || places.has(path)) return false
  for (const place of places) if (readLock(fs, place)?.mark === token) return false
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
    const path = `${realPath(fs, key)}.lock`
    const found = readLock(fs, path)
    if (found === undefined || isStale(fs, path, found)) return undefined
    const { record, modified } = found
    if (record === undefined) return { since: new Date(modified).toISOString() }
    const { pid, host, since } = record
    return { pid, host, since }
  })
}
