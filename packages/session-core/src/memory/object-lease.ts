import { TreelogError } from "../errors.js"
import { randomIds } from "../ports/ids.js"
import type { StorageStat } from "../ports/session-source.js"
import type { Chunks, SyncLease } from "../ports/session-storage.js"
import { run, runNow, type Steps, step } from "../steps.js"
import {
  assertFound,
  assertFree,
  assertUnchanged,
  collect,
  type Hold,
  type ObjectTable,
  type StoredObject,
} from "./stored-object.js"

type Change = { expected: StorageStat; keepAs?: string }
type Replaced = { stat: StorageStat; kept?: string }

/** What a lease needs of its storage. */
export interface LeaseHost {
  transact<T>(key: string, operation: string, work: (table: ObjectTable) => Promise<T>): Promise<T>
  /** @throws SessionBusyError */
  take(key: string): Promise<Hold>
  changed(key: string): void
  now(): number
  /** The table, if none of its methods returns a promise. */
  readonly table?: ObjectTable | undefined
}

/** At once where the table returns no promise. */
function* awaited<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? yield* step(() => value) : value
}

/**
 * The right to write one session. Each method first collects the bytes, then stores them in one transaction. Those without promises are
 * for storages whose table has none.
 */
export class ObjectLease implements SyncLease {
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
    return this.#write("create", (table) => this.#creation(table, pieces))
  }

  *#creation(table: ObjectTable, pieces: readonly Uint8Array[]): Steps<StorageStat> {
    assertFree(this.#key, yield* awaited(table.get(this.#key)))
    return yield* this.#putNew(table, pieces)
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    // A copy, since the caller may change the bytes while the transaction waits for its turn.
    const own = new Uint8Array(bytes)
    return this.#write("append", (table) => this.#appending(table, own, expected))
  }

  *#appending(table: ObjectTable, bytes: Uint8Array, expected: StorageStat): Steps<StorageStat> {
    const object = assertUnchanged(this.#key, yield* awaited(table.get(this.#key)), expected)
    yield* awaited(table.addBytes(object.stat, [bytes]))
    const stat = { ...object.stat, size: object.stat.size + bytes.length, modified: this.#host.now() }
    table.put(this.#key, { ...object, stat })
    return stat
  }

  /** Nothing to wait for: bytes in memory do not survive a crash, and a transaction of a database is durable when it resolves. */
  async sync(): Promise<void> {
    this.#renew("sync")
  }

  async replace(chunks: Chunks, change: Change): Promise<Replaced> {
    const pieces = await collect(chunks)
    return this.#write("replace", (table) => this.#replacement(table, pieces, change))
  }

  *#replacement(table: ObjectTable, pieces: readonly Uint8Array[], { expected, keepAs }: Change): Steps<Replaced> {
    const old = assertUnchanged(this.#key, yield* awaited(table.get(this.#key)), expected)
    const kept = keepAs === undefined ? undefined : yield* this.#hide(table, keepAs, old)
    if (kept === undefined) table.deleteBytes(old.stat.identity)
    return { stat: yield* this.#putNew(table, pieces), ...(kept !== undefined && { kept }) }
  }

  async move(to: string): Promise<void> {
    this.#renew("move")
    const hold = await this.#host.take(to)
    try {
      await this.#write("move", (table) => this.#rename(table, to))
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

  async remove(): Promise<void> {
    await this.#write("remove", (table) => this.#removal(table))
  }

  async release(): Promise<void> {
    await this.#dropHold()?.release()
  }

  createSync(chunks: Iterable<Uint8Array>): StorageStat {
    return this.#writeSync("create", (table) => this.#creation(table, [...chunks]))
  }

  appendSync(bytes: Uint8Array, expected: StorageStat): StorageStat {
    return this.#writeSync("append", (table) => this.#appending(table, bytes, expected))
  }

  replaceSync(chunks: Iterable<Uint8Array>, change: Change): Replaced {
    return this.#writeSync("replace", (table) => this.#replacement(table, [...chunks], change))
  }

  syncSync(): void {
    this.#renew("sync")
  }

  releaseSync(): void {
    this.#dropHold()?.releaseSync?.()
  }

  #dropHold(): Hold | undefined {
    const hold = this.#hold
    this.#hold = undefined
    return hold
  }

  *#putNew(table: ObjectTable, pieces: readonly Uint8Array[]): Steps<StorageStat> {
    const empty = { size: 0, modified: this.#host.now(), identity: randomIds.uuid() }
    yield* awaited(table.addBytes(empty, pieces))
    const stat = { ...empty, size: pieces.reduce((size, piece) => size + piece.length, 0) }
    table.put(this.#key, { stat, hidden: false })
    return stat
  }

  /** Renames the object to the key with the suffix, and a number if that is taken. Returns the name. */
  *#hide(table: ObjectTable, suffix: string, object: StoredObject): Steps<string> {
    let name = this.#key + suffix
    for (let number = 2; yield* awaited(table.get(name)); number++) name = `${this.#key}${suffix}.${number}`
    table.delete(this.#key)
    table.put(name, { ...object, hidden: true })
    return name
  }

  *#rename(table: ObjectTable, to: string): Steps<void> {
    const object = assertFound(this.#key, yield* awaited(table.get(this.#key)))
    const there = yield* awaited(table.get(to))
    if (there && there.stat.size > 0) assertFree(to, there)
    if (there) table.deleteBytes(there.stat.identity)
    table.delete(this.#key)
    table.put(to, object)
  }

  *#removal(table: ObjectTable): Steps<void> {
    const object = yield* awaited(table.get(this.#key))
    if (object) table.deleteBytes(object.stat.identity)
    table.delete(this.#key)
  }

  async #write<T>(operation: string, work: (table: ObjectTable) => Steps<T>): Promise<T> {
    this.#renew(operation)
    const outcome = await this.#host.transact(this.#key, operation, async (table) => {
      // Again, since the lease may have lapsed while the transaction waited for its turn.
      this.#renew(operation)
      return run(work(table))
    })
    this.#host.changed(this.#key)
    return outcome
  }

  #writeSync<T>(operation: string, work: (table: ObjectTable) => Steps<T>): T {
    this.#renew(operation)
    const { table } = this.#host
    if (!table) throw new Error("The table of this storage needs promises.")
    const outcome = runNow(work(table))
    this.#host.changed(this.#key)
    return outcome
  }

  /** @throws StorageError after the release; LeaseLostError */
  #renew(operation: string): void {
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
