import { dirname } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import type { LeaseOptions } from "@treelog/session-core/adapter"
import { type FsPort, isErrno, makeFolder, type TemporaryFiles } from "@treelog-internal/fs"
import { type FoundLock, type LockRecord, readLock } from "./lock-file.js"
import { noteLock } from "./own-locks.js"
import { ownIdentity } from "./process-identity.js"
import { dropLock, isStale, takeLock } from "./session-lock.js"
import { settleLease } from "./settle-lease.js"

const FIRST_DELAY_MS = 2
const MAX_DELAY_MS = 25

// A lock takes space, and on a full disk it cannot be made: then nothing could be removed, which is what would help. So whoever
// only removes does without a lock where there is no space for one, and where nobody holds the session. What excludes others
// then: a holder has a lock already, which was found. Nobody else can make one while the disk is full. Others that remove do so
// by renaming and unlinking, of which one succeeds and the others find nothing. And if space comes free in between, a new holder
// finds the session gone before its first write, which is an error, and keeps its entries: a session that goes to the trash goes
// there whole, with all that was appended to it.

/** What is to be locked: the file that the key leads to. */
export interface LockWish extends LeaseOptions {
  readonly key: string
  readonly path: string
  readonly token: string
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
   * Undefined where there is no space for one, and none is needed to remove what nobody holds.
   * @throws SessionBusyError
   */
  static async take(fs: FsPort, wish: LockWish, temporaryFiles: TemporaryFiles): Promise<HeldLock | undefined> {
    try {
      return await HeldLock.#make(fs, wish, temporaryFiles)
    } catch (error) {
      if (!wish.toRemove || !isErrno(error, "ENOSPC", "EDQUOT")) throw error
      const lockPath = `${wish.path}.lock`
      const found = await readLock(fs, lockPath)
      if (found !== undefined && !(await isStale(fs, lockPath, found))) throw sessionBusy(wish.key, lockPath, found)
      return undefined
    }
  }

  static async #make(fs: FsPort, wish: LockWish, temporaryFiles: TemporaryFiles): Promise<HeldLock> {
    const { key, path, token, access, waitMs } = wish
    const lockPath = `${path}.lock`
    const owner = await ownIdentity()
    const changed: string[] = []
    const tryOnce = (): Promise<FoundLock | undefined> => {
      const record: LockRecord = { ...owner, since: new Date().toISOString(), token, access }
      return takeLock(fs, lockPath, record, temporaryFiles, (dead) => settleLease(fs, path, dead))
    }
    await waitForLock(key, lockPath, waitMs, async () => {
      try {
        return await tryOnce()
      } catch (error) {
        if (!isErrno(error, "ENOENT")) throw error
        changed.push(...(await makeFolder(fs, dirname(path))))
        return tryOnce()
      }
    })
    noteLock(token, lockPath)
    return new HeldLock(fs, lockPath, token, changed)
  }

  /** Removes it; resolves to false when it was gone already. */
  drop(): Promise<boolean> {
    return dropLock(this.#fs, this.path, this.#token)
  }
}

/**
 * Asks again and again until the lock is taken or the time is over. The delays grow, and are never alike, so that many
 * who wait do not ask all at once.
 * @throws SessionBusyError
 */
async function waitForLock(
  key: string,
  lockPath: string,
  waitMs: number,
  take: () => Promise<FoundLock | undefined>,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let most = FIRST_DELAY_MS; ; most = Math.min(2 * most, MAX_DELAY_MS)) {
    const holder = await take()
    if (holder === undefined) return
    const left = deadline - performance.now()
    if (left <= 0) throw sessionBusy(key, lockPath, holder)
    await delay(Math.min(left, most * (0.5 + Math.random() / 2)))
  }
}

function sessionBusy(key: string, lockPath: string, { record, modified }: FoundLock): TreelogError<"SessionBusyError"> {
  if (record) {
    const { pid, host, since } = record
    const message = `The session is held by process ${pid} on ${host} since ${since}: ${key}.`
    return new TreelogError("SessionBusyError", message, { key, pid, host, since })
  }
  const since = new Date(modified).toISOString()
  const message = `The session is held since ${since} by a lock that cannot be read: ${lockPath}. Remove it if nobody uses the session.`
  return new TreelogError("SessionBusyError", message, { key, pid: 0, host: "unknown", since })
}
