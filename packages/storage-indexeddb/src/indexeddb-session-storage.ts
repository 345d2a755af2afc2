import type { Clock } from "@treelog/session-core"
import { TreelogError } from "@treelog/session-core"
import { type Hold, ObjectSessionStorage, type ObjectTable, systemClock } from "@treelog/session-core/adapter"
import { Transactions } from "./database.js"
import { heldSince, takeLock } from "./web-locks.js"

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
export class IndexedDbSessionStorage extends ObjectSessionStorage {
  readonly #name: string
  readonly #clock: Clock
  readonly #transactions: Transactions
  #channel: BroadcastChannel | undefined

  constructor({ name = "treelog", clock = systemClock }: IndexedDbSessionStorageOptions = {}) {
    super("indexeddb:", clock)
    this.#name = name
    this.#clock = clock
    this.#transactions = new Transactions(name)
  }

  override watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    this.#open()
    return super.watch(key, signal)
  }

  /** Closes the database and the channel for changes. Later calls open them again. */
  async close(): Promise<void> {
    this.#channel?.close()
    this.#channel = undefined
    await this.#transactions.close()
  }

  protected override changed(key: string): void {
    super.changed(key)
    this.#open().postMessage(key)
  }

  protected transact<T>(
    key: string,
    operation: string,
    mode: "readonly" | "readwrite",
    work: (table: ObjectTable) => Promise<T>,
  ): Promise<T> {
    return this.#transactions.run(key, operation, mode, work)
  }

  protected async take(key: string, waitMs: number): Promise<Hold> {
    const release = await takeLock(this.#name, key, { waitMs, now: () => this.#clock.now() })
    // A Web Lock is kept until the release.
    if (release) return { renew: () => true, release }
    // The lock may have been released just now.
    const since = (await heldSince(this.#name, key)) ?? new Date(this.#clock.now()).toISOString()
    const message = `The session ${key} is held for writing by a tab or worker since ${since}`
    throw new TreelogError("SessionBusyError", message, { key, pid: 0, host: "browser", since })
  }

  /** Opens the channel that notifies the storages of other tabs of changes, and reports theirs. */
  #open(): BroadcastChannel {
    if (this.#channel) return this.#channel
    const channel = new BroadcastChannel(`treelog ${this.#name}`)
    channel.addEventListener("message", ({ data }) => {
      if (typeof data === "string") super.changed(data)
    })
    this.#channel = channel
    return channel
  }
}
