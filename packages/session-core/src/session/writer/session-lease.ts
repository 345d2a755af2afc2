import { isTreelogError } from "../../errors.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { sessionChanged } from "../../ports/stored-errors.js"
import { isSyncLease, isSyncStorage, releaseLease } from "../../ports/sync-storage.js"
import { runNow, type Steps, step } from "../../steps.js"
import { refuseSync } from "../session-errors.js"
import { leaseOptions, type WriterOptions } from "../session-options.js"

/**
 * - `free`: not held. A session that is opened shared is free until it is written.
 * - `used`: held, and written under. A write without promises may come between the waits of another write: both use the lease.
 * - `wanted`: as `used`, and another one wants the session: it is released when it is used no more.
 * - `kept`: held, and not used. An exclusive session keeps its lease until it is closed; a shared one only while it has to sync through
 *   it, or, where each append is written at once, until the storage says that it is wanted.
 */
type LeaseState = "free" | "used" | "wanted" | "kept"

/** What a lease has to know of the session that it is for. */
export interface LeaseUser {
  /** Whether the session was stored when it was read last: taking its lease does not make it again. */
  readonly isStored: boolean
  /** Whether something was written that is still to be synced through the lease that wrote it. */
  readonly isSyncDue: boolean
}

/** The lease of one session that is written. */
export class SessionLease {
  key: string
  readonly #storage: SessionStorage
  readonly #options: WriterOptions
  readonly #user: LeaseUser
  readonly #isShared: boolean
  readonly #writesThrough: boolean
  #state: LeaseState
  /** Undefined while `free`. */
  #lease: Lease | undefined
  /** How many use it: more than none while `used` and `wanted`. */
  #users = 0
  /** The storage calls back when the lease is wanted. */
  #isKeptUntilWanted = false

  constructor(storage: SessionStorage, key: string, options: WriterOptions, user: LeaseUser, lease: Lease | undefined) {
    this.key = key
    this.#storage = storage
    this.#options = options
    this.#user = user
    this.#isShared = options.access === "shared"
    this.#writesThrough = options.durability === "write-through"
    this.#lease = lease
    this.#state = lease ? "kept" : "free"
  }

  /** The lease, unless the session is free. */
  get held(): Lease | undefined {
    return this.#lease
  }

  /** Runs `work` under the lease. @param whenLost what to run, once and with a new lease, when the lease was lost */
  *use<T>(work: (lease: Lease) => Steps<T>, whenLost?: (lease: Lease) => Steps<T>): Steps<T> {
    const lease = this.#lease ?? (yield* this.#take())
    if (this.#state === "kept") this.#state = "used"
    this.#users++
    let isDone = false
    let isGone = false
    try {
      const result = yield* work(lease)
      isDone = true
      return result
    } catch (error) {
      isGone = isTreelogError(error, "SessionChangedError") && error.data.change === "gone"
      if (!whenLost || !isTreelogError(error, "LeaseLostError")) throw error
    } finally {
      this.#users--
      if (this.#users === 0 && this.#state !== "free") {
        const isKept = this.#isKeptUntilWanted && this.#state === "used" && isDone
        if (!this.#isShared || isKept || (this.#user.isSyncDue && !isGone)) this.#state = "kept"
        else yield* this.release()
      }
    }
    yield* this.release()
    return yield* this.use(whenLost)
  }

  *#take(): Steps<Lease> {
    const [storage, options] = [this.#storage, leaseOptions(this.#options)]
    const lease =
      this.#takenAtOnce() ??
      (yield* step(
        () => storage.lease(this.key, options),
        () => (isSyncStorage(storage) ? storage.leaseSync(this.key, options) : refuseSync(this.key, "it has to wait")),
      ))
    this.#lease = lease
    this.#state = "used"
    const mayKeep = this.#isShared && this.#writesThrough && isSyncLease(storage, lease)
    this.#isKeptUntilWanted = mayKeep && lease.keepUntilWanted?.(() => this.#giveUp()) === true
    return lease
  }

  /** The lease, where it is free: without a promise, there is no moment in which the storage has given it and this object has it not. */
  #takenAtOnce(): Lease | undefined {
    const [storage, options] = [this.#storage, leaseOptions(this.#options)]
    if (!isSyncStorage(storage)) return undefined
    // A folder that was removed is not made again for a lock.
    if (this.#user.isStored && !storage.statSync(this.key)) throw sessionChanged(this.key, "gone")
    try {
      return storage.leaseSync(this.key, { ...options, waitMs: 0 })
    } catch (error) {
      if (!isTreelogError(error, "SessionBusyError") || options.waitMs === 0) throw error
      return undefined
    }
  }

  #giveUp(): void {
    if (this.#state === "used") this.#state = "wanted"
    else if (this.#state === "kept") runNow(this.release())
  }

  *release(): Steps<void> {
    const lease = this.#dropped()
    if (!lease) return
    // Without a moment in which an append could find the session held by ourselves.
    if (this.#writesThrough && isSyncLease(this.#storage, lease)) lease.releaseSync()
    else yield* releaseLease(this.#storage, lease)
  }

  /** Resolves when no lock is left. */
  async close(): Promise<void> {
    await this.#dropped()?.release()
  }

  /** Continues with a lease of another key, or of a new session. The old lease and, of a shared session, the new one are released. */
  async replace(lease: Lease, key: string): Promise<void> {
    const old = this.#dropped()
    this.key = key
    if (!this.#isShared) [this.#lease, this.#state] = [lease, "kept"]
    // A lease whose release fails does not exclude others (`Lease.release`).
    await Promise.allSettled([old?.release(), this.#isShared ? lease.release() : undefined])
  }

  #dropped(): Lease | undefined {
    const lease = this.#lease
    this.#lease = undefined
    this.#state = "free"
    this.#isKeptUntilWanted = false
    return lease
  }
}
