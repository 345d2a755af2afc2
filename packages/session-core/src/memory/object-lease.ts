import { TreelogError } from "../errors.js"
import { randomIds } from "../ports/ids.js"
import type { Chunks, Lease, StorageStat } from "../ports/session-storage.js"
import {
  assertFound,
  assertFree,
  assertUnchanged,
  collect,
  type Hold,
  type ObjectTable,
  type StoredObject,
} from "./stored-object.js"

/** What a lease needs of its storage. */
export interface LeaseHost {
  transact<T>(key: string, operation: string, work: (table: ObjectTable) => Promise<T>): Promise<T>
  /** @throws SessionBusyError */
  take(key: string): Promise<Hold>
  changed(key: string): void
  now(): number
}

/** The right to write one session. Each method first collects the bytes, then stores them in one transaction. */
export class ObjectLease implements Lease {
  readonly #host: LeaseHost
  #key: string
  #hold: Hold | undefined

  constructor(host: LeaseHost, key: string, hold: Hold) {
    this.#host = host
    this.#key = key
    this.#hold = hold
  }

  get key(): string {
    return this.#key
  }

  async create(chunks: Chunks): Promise<StorageStat> {
    const pieces = await collect(chunks)
    return this.write("create", async (table) => {
      assertFree(this.#key, await table.get(this.#key))
      return this.#putNew(table, pieces)
    })
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    // A copy, since the caller may change the bytes while the transaction waits for its turn.
    const own = new Uint8Array(bytes)
    return this.write("append", async (table) => {
      const object = assertUnchanged(this.#key, await table.get(this.#key), expected)
      await table.addBytes(object.stat, [own])
      const stat = { ...object.stat, size: object.stat.size + own.length, modified: this.#host.now() }
      table.put(this.#key, { ...object, stat })
      return stat
    })
  }

  /** Nothing to wait for: bytes in memory do not survive a crash, and a transaction of a database is durable when it resolves. */
  async sync(): Promise<void> {
    this.renew("sync")
  }

  async replace(
    chunks: Chunks,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    const pieces = await collect(chunks)
    return this.write("replace", async (table) => {
      const old = assertUnchanged(this.#key, await table.get(this.#key), expected)
      const kept = keepAs === undefined ? undefined : await this.#hide(table, keepAs, old)
      if (kept === undefined) table.deleteBytes(old.stat.identity)
      return { stat: await this.#putNew(table, pieces), ...(kept !== undefined && { kept }) }
    })
  }

  async move(to: string): Promise<void> {
    this.renew("move")
    const hold = await this.#host.take(to)
    try {
      await this.write("move", async (table) => {
        const object = assertFound(this.#key, await table.get(this.#key))
        const there = await table.get(to)
        if (there && there.stat.size > 0) assertFree(to, there)
        if (there) table.deleteBytes(there.stat.identity)
        table.delete(this.#key)
        table.put(to, object)
      })
    } catch (error) {
      await hold.release()
      throw error
    }
    const old = this.#hold
    this.#hold = hold
    this.#key = to
    this.#host.changed(to)
    await old?.release()
  }

  async quarantine(suffix: string): Promise<string> {
    return this.write("quarantine", async (table) =>
      this.#hide(table, suffix, assertFound(this.#key, await table.get(this.#key))),
    )
  }

  async remove(): Promise<void> {
    await this.write("remove", async (table) => {
      const object = await table.get(this.#key)
      if (object) table.deleteBytes(object.stat.identity)
      table.delete(this.#key)
    })
  }

  async release(): Promise<void> {
    await this.dropHold()?.release()
  }

  protected dropHold(): Hold | undefined {
    const hold = this.#hold
    this.#hold = undefined
    return hold
  }

  async #putNew(table: ObjectTable, pieces: readonly Uint8Array[]): Promise<StorageStat> {
    const empty = { size: 0, modified: this.#host.now(), identity: randomIds.uuid() }
    await table.addBytes(empty, pieces)
    const stat = { ...empty, size: pieces.reduce((size, piece) => size + piece.length, 0) }
    table.put(this.#key, { stat, hidden: false })
    return stat
  }

  /** Renames the object to the key with the suffix, and a number if that is taken. Returns the name. */
  async #hide(table: ObjectTable, suffix: string, object: StoredObject): Promise<string> {
    let name = this.#key + suffix
    for (let number = 2; await table.get(name); number++) name = `${this.#key}${suffix}.${number}`
    table.delete(this.#key)
    table.put(name, { ...object, hidden: true })
    return name
  }

  protected async write<T>(operation: string, work: (table: ObjectTable) => Promise<T>): Promise<T> {
    this.renew(operation)
    const outcome = await this.#host.transact(this.#key, operation, async (table) => {
      // Again, since the lease may have lapsed while the transaction waited for its turn.
      this.renew(operation)
      return work(table)
    })
    this.#host.changed(this.#key)
    return outcome
  }

  /** @throws StorageError after the release; LeaseLostError */
  protected renew(operation: string): void {
    const key = this.#key
    if (!this.#hold) {
      const message = `The lease of ${key} was released: it cannot ${operation}`
      throw new TreelogError("StorageError", message, { key, operation, errno: undefined })
    }
    if (this.#hold.renew()) return
    const message = `The lease of ${key} has lapsed: it cannot ${operation}. Nothing was written; take a new lease.`
    throw new TreelogError("LeaseLostError", message, { key, operation })
  }
}
