import { type Clock, systemClock } from "../ports/clock.js"
import type { StorageStat, StoredRanges } from "../ports/session-source.js"
import type { Breadcrumbs, LeaseOptions, SyncLease } from "../ports/session-storage.js"
import { LeaseHolders } from "./lease-holders.js"
import { MemoryTable } from "./memory-table.js"
import { type LeaseHost, ObjectLease } from "./object-lease.js"
import { ObjectSessionStorage } from "./object-session-storage.js"
import { assertFound, type Hold, type ObjectTable } from "./stored-object.js"

export interface MemorySessionStorageOptions {
  /** The source of `modified` and of a lease's `since`. Default: the system's clock. */
  readonly clock?: Clock
  /**
   * Resolves after `ms` milliseconds. The core has no timers: without this, a lease with `waitMs` above 0 waits
   * until the holder releases it. Use a timer that does not keep the process alive, since it is not stopped when the
   * lease is taken earlier.
   */
  readonly sleep?: (ms: number) => Promise<void>
}

/**
 * Stores sessions in memory, for as long as the object lives: for tests, for browsers, and as an example of a storage.
 * Keys have the form `memory:<cwd>/<session id>`; it has the breadcrumb of one terminal.
 */
export class MemorySessionStorage extends ObjectSessionStorage {
  readonly #table = new MemoryTable()
  readonly #holders: LeaseHolders
  #breadcrumb: { cwd: string; key: string } | undefined

  constructor({ clock = systemClock, sleep = forever }: MemorySessionStorageOptions = {}) {
    super("memory:", clock)
    this.#holders = new LeaseHolders(clock, sleep)
  }

  async leaseAndAppend(
    key: string,
    options: LeaseOptions,
    bytes: Uint8Array,
    expected: StorageStat,
  ): Promise<StorageStat> {
    // A copy, since the caller may change the bytes while this waits for the lease.
    const own = new Uint8Array(bytes)
    const lease = await this.lease(key, options)
    try {
      return await lease.append(own, expected)
    } finally {
      await lease.release()
    }
  }

  statSync(key: string): StorageStat | undefined {
    return this.#table.get(key)?.stat
  }

  leaseSync(key: string): SyncLease {
    return new ObjectLease(this.leaseHost(), key, this.takeSync(key))
  }

  async openRanges(key: string, identity: string): Promise<StoredRanges> {
    return this.openRangesSync(key, identity)
  }

  openRangesSync(key: string, identity: string): StoredRanges {
    assertFound(key, this.#table.get(key), identity)
    const bytes = this.#table.bytesOf(identity)
    return { read: (offset, length) => bytes.read(offset, length), close: () => {} }
  }

  override readonly breadcrumbs: Breadcrumbs = {
    read: async () => this.#breadcrumb,
    write: async (cwd, key) => {
      this.#breadcrumb = { cwd, key }
    },
  }

  protected override leaseHost(): LeaseHost {
    return { ...super.leaseHost(), table: this.#table }
  }

  protected transact<T>(_: string, __: string, ___: string, work: (table: ObjectTable) => Promise<T>): Promise<T> {
    // Nothing comes in between: no call of the table returns a promise, so that the work is done when it returns one.
    return work(this.#table)
  }

  protected take(key: string, waitMs: number): Promise<Hold> {
    return this.#holders.take(key, waitMs)
  }

  /** `take` without promises, where the key is not held. */
  protected takeSync(key: string): Hold {
    return this.#holders.takeSync(key)
  }
}

function forever(): Promise<never> {
  return new Promise(() => {})
}
