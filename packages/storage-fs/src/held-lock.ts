import { dirname } from "node:path"
import type { LeaseOptions } from "@treelog/session-core"
import type { FsPort } from "./fs-port.js"
import type { Leftovers } from "./leftovers.js"
import type { FoundLock, LockRecord } from "./lock-file.js"
import { makeFolder } from "./make-folder.js"
import { noteLock } from "./own-locks.js"
import { ownIdentity } from "./process-identity.js"
import { dropLock, takeLock } from "./session-lock.js"
import { artifactsFolder } from "./session-name.js"
import { isErrno } from "./storage-error.js"
import { tempName } from "./temp-file.js"
import { waitForLock } from "./wait-for-lock.js"

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

  /** @throws SessionBusyError */
  static async take(fs: FsPort, wish: LockWish, leftovers: Leftovers): Promise<HeldLock> {
    const { key, path, token, access, waitMs } = wish
    const lockPath = `${path}.lock`
    const owner = await ownIdentity()
    const changed: string[] = []
    const tryOnce = (): Promise<FoundLock | undefined> => {
      const record: LockRecord = { ...owner, since: new Date().toISOString(), token, access }
      return takeLock(fs, lockPath, record, leftovers, (dead) => litterOf(path, dead))
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

  /** Lets go of it; resolves to false when it was taken away. */
  drop(): Promise<boolean> {
    return dropLock(this.#fs, this.path, this.#token)
  }
}

/** The temporary files of a lease whose owner died. */
function litterOf(path: string, token: string): string[] {
  const artifacts = artifactsFolder(path)
  const litter = [tempName(path, token), tempName(path, `${token}.old`)]
  return artifacts === undefined ? litter : [...litter, tempName(artifacts, token)]
}
