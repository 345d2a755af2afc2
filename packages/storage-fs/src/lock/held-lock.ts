import { dirname } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import type { LeaseOptions } from "@treelog/session-core/adapter"
import { type FsPort, isErrno, makeFolder, type TemporaryFiles } from "@treelog-internal/fs"
import { lifeOf, ownLiveness } from "./liveness-socket.js"
import { askForLock, type FoundLock, isLockWanted, type LockRecord, readLock } from "./lock-file.js"
import { noteLock, placesOfLock } from "./own-locks.js"
import { ownIdentity } from "./process-identity.js"
import { dropLock, isStale, takeLock } from "./session-lock.js"
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
export class HeldLock {
  readonly path: string
  /** Folders that got a new folder in them, because the session's was missing. */
  readonly changedFolders: readonly string[]
  readonly #fs: FsPort
  readonly #token: string

  private constructor(fs: FsPort, path: string, token: string, changedFolders: readonly string[]) {
    this.#fs = fs
    this.path = path
    this.#token = token
    this.changedFolders = changedFolders
  }

  /**
   * Undefined where there is no space for one, and none is needed to remove what is not held.
   * @throws SessionBusyError
   */
  static async take(fs: FsPort, wish: LockWish, temporaryFiles: TemporaryFiles): Promise<HeldLock | undefined> {
    const attempt = new LockAttempt(fs, wish, temporaryFiles)
    for (let pause = attempt.next(); pause !== undefined; pause = attempt.next()) await delay(pause)
    return attempt.lock
  }

  /**
   * `take` without promises: the thread sleeps while it waits. A lock of this process is not waited for, since its holder
   * cannot continue meanwhile.
   * @throws SessionBusyError
   */
  static takeSync(fs: FsPort, wish: LockWish, temporaryFiles: TemporaryFiles): HeldLock | undefined {
    const attempt = new LockAttempt(fs, wish, temporaryFiles, isOwnLock)
    for (let pause = attempt.next(); pause !== undefined; pause = attempt.next()) sleepSync(pause)
    return attempt.lock
  }

  /** @param changedFolders folders that got a new folder in them */
  static note(fs: FsPort, path: string, token: string, changedFolders: readonly string[]): HeldLock {
    noteLock(token, path)
    return new HeldLock(fs, path, token, changedFolders)
  }

  /** Whether another process asked for it, or it is gone. */
  get isWanted(): boolean {
    return isLockWanted(this.#fs, this.path)
  }

  /** Removes it, and returns false when it was gone already. */
  drop(): boolean {
    return dropLock(this.#fs, this.path, this.#token)
  }
}

function isOwnLock({ mark }: FoundLock): boolean {
  return placesOfLock(mark) !== undefined
}

/**
 * Asks again and again until the lock is taken or the time is over. The pauses grow, and are never alike, so that many who wait do
 * not ask all at once.
 */
class LockAttempt {
  /** Once there is nothing to wait for: the lock, or undefined as `HeldLock.take` has it. */
  lock: HeldLock | undefined
  readonly #fs: FsPort
  readonly #wish: LockWish
  readonly #temporaryFiles: TemporaryFiles
  readonly #isVain: (holder: FoundLock) => boolean
  readonly #since = performance.now()
  readonly #changedFolders: string[] = []
  #most = FIRST_DELAY_MS

  /** @param isVain whether waiting for that holder leads nowhere */
  constructor(fs: FsPort, wish: LockWish, temporaryFiles: TemporaryFiles, isVain = (_: FoundLock) => false) {
    this.#fs = fs
    this.#wish = wish
    this.#temporaryFiles = temporaryFiles
    this.#isVain = isVain
  }

  /** Tries once. Milliseconds until the next time; undefined when it is over. @throws SessionBusyError */
  next(): number | undefined {
    const holder = this.#tryOnce()
    if (holder === undefined) return undefined
    const { key, waitMs } = this.#wish
    const isAskable = holder.record?.access === "shared" && !isOwnLock(holder)
    if (isAskable) askForLock(this.#fs, this.#lockPath)
    const left = this.#since + (isAskable ? Math.max(waitMs, SHARED_WAIT_MS) : waitMs) - performance.now()
    if (left <= 0 || this.#isVain(holder)) throw sessionBusy(key, this.#lockPath, holder)
    const pause = Math.min(left, this.#most * (0.5 + Math.random() / 2))
    this.#most = Math.min(2 * this.#most, MAX_DELAY_MS)
    return pause
  }

  get #lockPath(): string {
    return `${this.#wish.path}.lock`
  }

  #tryOnce(): FoundLock | undefined {
    const { toRemove, key } = this.#wish
    try {
      return this.#tryInFolder()
    } catch (error) {
      if (!toRemove || !isErrno(error, "ENOSPC", "EDQUOT")) throw error
      const found = readLock(this.#fs, this.#lockPath)
      if (found !== undefined && !isStale(this.#fs, this.#lockPath, found))
        throw sessionBusy(key, this.#lockPath, found)
      return undefined
    }
  }

  /** Makes the folder where it is missing. */
  #tryInFolder(): FoundLock | undefined {
    try {
      return this.#tryToTake()
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error
      this.#changedFolders.push(...makeFolder(this.#fs, dirname(this.#wish.path)))
      return this.#tryToTake()
    }
  }

  #tryToTake(): FoundLock | undefined {
    const { path, token, access, storeFolder } = this.#wish
    const fs = this.#fs
    const liveness = ownLiveness(storeFolder, this.#lockPath)
    const since = new Date().toISOString()
    const record: LockRecord = { ...ownIdentity(), since, token, access, ...(liveness && { liveness }) }
    const settle = (dead: string) => settleLease(fs, path, dead)
    const holder = takeLock(fs, this.#lockPath, record, this.#temporaryFiles, settle)
    if (holder === undefined) this.lock = HeldLock.note(fs, this.#lockPath, token, this.#changedFolders)
    return holder
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
