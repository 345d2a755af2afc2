import { TreelogError } from "../errors.js"
import { Changes } from "../memory/changes.js"
import { assertFound, assertSame } from "../memory/memory-faults.js"
import { type Clock, systemClock } from "../ports/clock.js"
import { randomIds } from "../ports/ids.js"
import type {
  Lease,
  LeaseOptions,
  ListFilter,
  SessionPlace,
  SessionStorage,
  StoredName,
} from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { IndexedDbLease, type LeaseHost } from "./indexeddb-lease.js"
import { browser, type Channel } from "./platform.js"
import { Transactions } from "./transactions.js"
import { heldSince, type Release, takeLock } from "./web-locks.js"

const SCHEME = "indexeddb:"

/** Options of an `IndexedDbSessionStorage`. */
export interface IndexedDbSessionStorageOptions {
  /** The name of the database. Storages with the same name and origin share their sessions, in all tabs and workers. Default `"treelog"`. */
  readonly name?: string
  /** The source of `modified` and of a lease's `since`. Default: the system's clock. */
  readonly clock?: Clock
}

/**
 * Stores sessions in IndexedDB, in pages and in workers. Leases are Web Locks, which exclude all tabs and workers of the origin and
 * end with the page or worker that holds them. Both need a secure context. Keys have the form `indexeddb:<cwd>/<session id>`.
 */
export class IndexedDbSessionStorage implements SessionStorage {
  readonly supports = {
    processes: true,
    durable: true,
    watch: true,
    breadcrumbs: false,
    artifacts: false,
    syncReads: false,
  }
  readonly #name: string
  readonly #clock: Clock
  readonly #transactions: Transactions
  readonly #changes = new Changes()
  #channel: Channel | undefined

  constructor({ name = "treelog", clock = systemClock }: IndexedDbSessionStorageOptions = {}) {
    this.#name = name
    this.#clock = clock
    this.#transactions = new Transactions(name)
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
    const object = await this.#transactions.run(key, "stat", "readonly", (table) => table.get(key))
    return object?.stat
  }

  async *list({ cwd, signal }: ListFilter = {}): AsyncGenerator<StoredName> {
    signal?.throwIfAborted()
    for (const key of await this.#transactions.run(SCHEME, "list", "readonly", (table) => table.keys())) {
      signal?.throwIfAborted()
      const folder = this.folderOf(key)
      if (cwd === undefined || folder === SCHEME + cwd) yield { key, id: key.slice(folder.length + 1) }
    }
  }

  async readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    return this.#transactions.run(key, "readRange", "readonly", async (table) => {
      const object = assertFound(key, await table.get(key))
      if (identity !== undefined) assertSame(key, object, identity)
      return table.read(object.stat, offset, length)
    })
  }

  async lease(key: string, { waitMs }: LeaseOptions): Promise<Lease> {
    return new IndexedDbLease(this.#host, key, await this.#take(key, waitMs))
  }

  watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    this.#open()
    return this.#changes.watch(key, signal)
  }

  /** Closes the database and the channel for changes. Later calls open them again. */
  async close(): Promise<void> {
    this.#channel?.close()
    this.#channel = undefined
    await this.#transactions.close()
  }

  readonly #host: LeaseHost = {
    transact: (key, operation, work) => this.#transactions.run(key, operation, "readwrite", work),
    take: (key, waitMs) => this.#take(key, waitMs),
    changed: (key) => {
      this.#changes.notify(key)
      this.#open().postMessage(key)
    },
    newObject: (size) => ({ stat: { size, modified: this.#clock.now(), identity: randomIds.uuid() }, hidden: false }),
    now: () => this.#clock.now(),
  }

  async #take(key: string, waitMs: number): Promise<Release> {
    const release = await takeLock(this.#name, key, { waitMs, now: () => this.#clock.now() })
    if (release) return release
    // The lock may have been released just now.
    const since = (await heldSince(this.#name, key)) ?? new Date(this.#clock.now()).toISOString()
    const message = `The session ${key} is held for writing by a tab or worker since ${since}`
    throw new TreelogError("SessionBusyError", message, { key, pid: 0, host: "browser", since })
  }

  /** Opens the channel that notifies the storages of other tabs of changes, and reports theirs. */
  #open(): Channel {
    if (this.#channel) return this.#channel
    const { BroadcastChannel } = browser()
    const channel = new BroadcastChannel(`treelog ${this.#name}`)
    channel.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.#changes.notify(data)
    })
    this.#channel = channel
    return channel
  }
}
