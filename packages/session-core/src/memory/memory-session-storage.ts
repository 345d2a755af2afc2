import { type Clock, systemClock } from "../ports/clock.js"
import type {
  Breadcrumbs,
  Lease,
  LeaseOptions,
  ListFilter,
  SessionPlace,
  SessionStorage,
  StoredName,
  StoredRanges,
} from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { LeaseHolders } from "./lease-holders.js"
import { assertFound, assertSame } from "./memory-faults.js"
import { MemoryLease } from "./memory-lease.js"
import { MemoryObjects } from "./memory-objects.js"

const SCHEME = "memory:"

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
export class MemorySessionStorage implements SessionStorage {
  readonly supports = {
    processes: false,
    durable: false,
    watch: true,
    breadcrumbs: true,
    artifacts: false,
    syncReads: true,
  }
  readonly #objects: MemoryObjects
  readonly #holders: LeaseHolders
  #breadcrumb: { cwd: string; key: string } | undefined

  constructor({ clock = systemClock, sleep = forever }: MemorySessionStorageOptions = {}) {
    this.#objects = new MemoryObjects(clock)
    this.#holders = new LeaseHolders(clock, sleep)
  }

  keyFor({ cwd, id }: SessionPlace): string {
    return `${SCHEME}${cwd}/${id}`
  }

  keyFromRef(ref: string): string | undefined {
    return ref.startsWith(SCHEME) ? ref : undefined
  }

  folderOf(key: string): string {
    return key.slice(0, key.lastIndexOf("/"))
  }

  async stat(key: string): Promise<StorageStat | undefined> {
    return this.#objects.get(key)?.stat
  }

  async *list({ cwd, signal }: ListFilter = {}): AsyncGenerator<StoredName> {
    for (const key of this.#objects.listedKeys()) {
      signal?.throwIfAborted()
      const folder = this.folderOf(key)
      if (cwd === undefined || folder === SCHEME + cwd) yield { key, id: key.slice(folder.length + 1) }
    }
  }

  async readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    const object = assertFound(key, this.#objects.get(key))
    if (identity !== undefined) assertSame(key, object, identity)
    return object.bytes.read(offset, length)
  }

  async openRanges(key: string, identity: string): Promise<StoredRanges> {
    const object = assertFound(key, this.#objects.get(key))
    assertSame(key, object, identity)
    return { read: (offset, length) => object.bytes.read(offset, length), close: () => {} }
  }

  async lease(key: string, { waitMs }: LeaseOptions): Promise<Lease> {
    await this.#holders.take(key, waitMs)
    return new MemoryLease(key, this.#objects, this.#holders)
  }

  watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    return this.#objects.changes.watch(key, signal)
  }

  readonly breadcrumbs: Breadcrumbs = {
    read: async () => this.#breadcrumb,
    write: async (cwd, key) => {
      this.#breadcrumb = { cwd, key }
    },
  }
}

function forever(): Promise<never> {
  return new Promise(() => {})
}
