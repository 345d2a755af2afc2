import { dirname } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import { type LeaseOptions, Steps } from "@treelog/session-core/adapter"
import { type FsPort, isErrno, makeFolder, type TemporaryFiles } from "@treelog-internal/fs"
import { lifeOf, ownLiveness } from "./liveness-socket.js"
import { askForLock, type FoundLock, type LockRecord, readLock } from "./lock-file.js"
import { noteLock, placesOfLock } from "./own-locks.js"
import { ownIdentity } from "./process-identity.js"
import { isStale, takeLock } from "./session-lock.js"
import { settleLease } from "./settle-lease.js"
import { sleepSync } from "./sleep-sync.js"

const FIRST_DELAY_MS = 2
/** Shorter than the pause of a process whose lock was requested (kept-leases.ts). */
const MAX_DELAY_MS = 5
/** A shared session is held for a batch, or until another process asks: that is waited for even by who does not want to wait. */
const SHARED_WAIT_MS = 100

// A lock takes space, and on a full disk it cannot be made: then nothing could be removed, which is what would help. So a lease that
// only removes does without a lock where there is no space for one, and where the session is not held. What excludes others
// then: a holder has a lock already, which was found. No other process can make one while the disk is full. Others that remove do so
// by renaming and unlinking, of which one succeeds and the others find nothing. And if space comes free in between, a new holder
// finds the session gone before its first write, which is an error, and keeps its entries: a session that goes to the trash goes
// there whole, with all that was appended to it.

/** What is to be locked: the file that the key leads to. */
export interface LockWish extends LeaseOptions {
  readonly key: string
  readonly path: string
  readonly token: string
  /** The folder of the store, in which this process says that it lives. */
  readonly storeFolder: string | undefined
}

/** The lock of one session, held. */
export interface HeldLock {
  readonly path: string
  /** Folders that got a new folder in them, because the session's was missing. */
  readonly changedFolders: readonly string[]
}

export function isOwnLock({ mark }: FoundLock): boolean {
  return placesOfLock(mark) !== undefined
}

export function waiting(milliseconds: number): Steps<void> {
  return Steps.step(
    () => delay(milliseconds),
    () => sleepSync(milliseconds),
  )
}

/**
 * Asks again and again until the lock is taken or the time is over. The pauses grow, and are never alike, so that many who wait do
 * not ask all at once. Undefined where there is no space for a lock, and none is needed to remove what is not held.
 * @param isVain whether waiting for that holder leads nowhere
 * @throws SessionBusyError
 */
export function* takeLockOf(
  fs: FsPort,
  wish: LockWish,
  temporaryFiles: TemporaryFiles,
  isVain = (_: FoundLock) => false,
): Steps<HeldLock | undefined> {
  const { key, waitMs, toRemove, token } = wish
  const path = `${wish.path}.lock`
  const changedFolders: string[] = []
  const since = performance.now()
  for (let most = FIRST_DELAY_MS; ; most = Math.min(2 * most, MAX_DELAY_MS)) {
    let holder: FoundLock | undefined
    try {
      holder = tryToTake(fs, path, wish, temporaryFiles, changedFolders)
    } catch (error) {
      if (!toRemove || !isErrno(error, "ENOSPC", "EDQUOT")) throw error
      const found = readLock(fs, path)
      if (found !== undefined && !isStale(fs, path, found)) throw sessionBusy(key, path, found)
      return undefined
    }
    if (holder === undefined) {
      noteLock(token, path)
      return { path, changedFolders }
    }
    const isAskable = holder.record?.access === "shared" && !isOwnLock(holder)
    if (isAskable) askForLock(fs, path)
    const left = since + (isAskable ? Math.max(waitMs, SHARED_WAIT_MS) : waitMs) - performance.now()
    if (left <= 0 || isVain(holder)) throw sessionBusy(key, path, holder)
    yield* waiting(Math.min(left, most * (0.5 + Math.random() / 2)))
  }
}

/** Tries once, and makes the folder where it is missing. Returns who holds the lock, if it is not taken. */
function tryToTake(
  fs: FsPort,
  lockPath: string,
  { path, token, access, storeFolder }: LockWish,
  temporaryFiles: TemporaryFiles,
  changedFolders: string[],
): FoundLock | undefined {
  const attempt = () => {
    const liveness = ownLiveness(storeFolder, lockPath)
    const since = new Date().toISOString()
    const record: LockRecord = { ...ownIdentity(), since, token, access, ...(liveness && { liveness }) }
    return takeLock(fs, lockPath, record, temporaryFiles, (dead) => settleLease(fs, path, dead))
  }
  try {
    return attempt()
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
    changedFolders.push(...makeFolder(fs, dirname(path)))
    return attempt()
  }
}

function sessionBusy(key: string, lockPath: string, { record, modified }: FoundLock): TreelogError<"SessionBusyError"> {
  if (record) {
    const { pid, host, since } = record
    const isKnown = lifeOf(lockPath, record) !== "unknown"
    const unseen = isKnown ? "" : ` That process cannot be seen from here: remove ${lockPath} if it has ended.`
    const message = `The session is held by process ${pid} on ${host} since ${since}: ${key}.${unseen}`
    return new TreelogError("SessionBusyError", message, { key, pid, host, since })
  }
  const since = new Date(modified).toISOString()
  const message = `The session is held since ${since} by a lock that cannot be read: ${lockPath}. Remove it if nobody uses the session.`
  return new TreelogError("SessionBusyError", message, { key, pid: 0, host: "unknown", since })
}
