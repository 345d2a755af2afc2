import { TreelogError } from "../errors.js"
import { encodeText } from "../log/format-line.js"
import { randomIds } from "../ports/ids.js"
import type { Chunks, StorageStat, SyncLease } from "../ports/session-storage.js"
import type { MemoryTable } from "./memory-table.js"
import { type LeaseHost, ObjectLease } from "./object-lease.js"
import { assertFree, assertUnchanged, collect, type Hold } from "./stored-object.js"

/** What a lease in memory needs of its storage. */
export interface MemoryHost extends LeaseHost {
  readonly table: MemoryTable
  /** Whether a transaction that changes the session is between two of its steps. */
  isBusy(key: string): boolean
}

type Change = { expected: StorageStat; keepAs?: string }

/** A lease in memory: what it writes without promises, it writes with them in the same way. */
export class MemoryLease extends ObjectLease implements SyncLease {
  readonly #host: MemoryHost

  constructor(host: MemoryHost, key: string, hold: Hold) {
    super(host, key, hold)
    this.#host = host
  }

  override async create(chunks: Chunks): Promise<StorageStat> {
    const pieces = await collect(chunks)
    return this.write("create", async () => this.#create(pieces))
  }

  createSync(chunks: Iterable<Uint8Array>): StorageStat {
    return this.#writeSync("create", () => this.#create([...chunks]))
  }

  override async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    // A copy, since the caller may change the bytes while the transaction waits for its turn.
    const own = new Uint8Array(bytes)
    return this.write("append", async () => this.#append(own, expected))
  }

  appendSync(data: Uint8Array | string, expected: StorageStat): StorageStat & { readonly written: number } {
    const bytes = typeof data === "string" ? encodeText(data) : data
    return { ...this.#writeSync("append", () => this.#append(bytes, expected)), written: bytes.length }
  }

  override async replace(chunks: Chunks, change: Change): Promise<{ stat: StorageStat; kept?: string }> {
    const pieces = await collect(chunks)
    return this.write("replace", async () => this.#replace(pieces, change))
  }

  replaceSync(chunks: Iterable<Uint8Array>, change: Change): { stat: StorageStat; kept?: string } {
    return this.#writeSync("replace", () => this.#replace([...chunks], change))
  }

  syncSync(): void {
    this.renew("sync")
  }

  releaseSync(): void {
    this.dropHold()?.releaseSync?.()
  }

  /** To take a new one costs nothing. */
  park(): void {
    this.releaseSync()
  }

  resume(): boolean {
    return false
  }

  #create(pieces: readonly Uint8Array[]): StorageStat {
    const { table } = this.#host
    assertFree(this.key, table.get(this.key))
    return this.#putNew(pieces)
  }

  #append(bytes: Uint8Array, expected: StorageStat): StorageStat {
    const { table } = this.#host
    const object = assertUnchanged(this.key, table.get(this.key), expected)
    table.addBytes(object.stat, [bytes])
    const stat = { ...object.stat, size: object.stat.size + bytes.length, modified: this.#host.now() }
    table.put(this.key, { ...object, stat })
    return stat
  }

  #replace(pieces: readonly Uint8Array[], { expected, keepAs }: Change): { stat: StorageStat; kept?: string } {
    const { table } = this.#host
    const old = assertUnchanged(this.key, table.get(this.key), expected)
    if (keepAs === undefined) {
      table.deleteBytes(old.stat.identity)
      return { stat: this.#putNew(pieces) }
    }
    let kept = this.key + keepAs
    for (let number = 2; table.get(kept); number++) kept = `${this.key}${keepAs}.${number}`
    table.put(kept, { ...old, hidden: true })
    return { stat: this.#putNew(pieces), kept }
  }

  #putNew(pieces: readonly Uint8Array[]): StorageStat {
    const { table } = this.#host
    const empty = { size: 0, modified: this.#host.now(), identity: randomIds.uuid() }
    table.addBytes(empty, pieces)
    const stat = { ...empty, size: pieces.reduce((size, piece) => size + piece.length, 0) }
    table.put(this.key, { stat, hidden: false })
    return stat
  }

  #writeSync<T>(operation: string, work: () => T): T {
    this.renew(operation)
    const { key } = this
    if (this.#host.isBusy(key)) {
      const since = new Date(this.#host.now()).toISOString()
      const message = `Another write of this storage is under way: it cannot ${operation} ${key} without promises now.`
      throw new TreelogError("SessionBusyError", message, { key, pid: 0, host: "memory", since })
    }
    const outcome = work()
    this.#host.changed(key)
    return outcome
  }
}
