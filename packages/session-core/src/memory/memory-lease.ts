import { encodeText } from "../log/format-line.js"
import type { StorageStat, SyncLease } from "../ports/session-storage.js"
import type { MemoryTable } from "./memory-table.js"
import { type Change, type LeaseHost, ObjectLease, type Steps } from "./object-lease.js"
import type { Hold } from "./stored-object.js"

/** A lease in memory, which writes without promises too. */
export class MemoryLease extends ObjectLease implements SyncLease {
  readonly #host: LeaseHost
  readonly #table: MemoryTable

  constructor(host: LeaseHost, table: MemoryTable, key: string, hold: Hold) {
    super(host, key, hold)
    this.#host = host
    this.#table = table
  }

  createSync(chunks: Iterable<Uint8Array>): StorageStat {
    return this.#writeSync("create", () => this.creation(this.#table, [...chunks]))
  }

  appendSync(data: Uint8Array | string, expected: StorageStat): StorageStat & { readonly written: number } {
    const bytes = typeof data === "string" ? encodeText(data) : data
    const stat = this.#writeSync("append", () => this.appending(this.#table, bytes, expected))
    return { ...stat, written: bytes.length }
  }

  replaceSync(chunks: Iterable<Uint8Array>, change: Change): { stat: StorageStat; kept?: string } {
    return this.#writeSync("replace", () => this.replacement(this.#table, [...chunks], change))
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

  #writeSync<T>(operation: string, work: () => Steps<T>): T {
    this.renew(operation)
    const step = work().next()
    if (!step.done) throw new Error("A table in memory returns no promises.")
    this.#host.changed(this.key)
    return step.value
  }
}
