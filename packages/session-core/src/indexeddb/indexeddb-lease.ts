import { TreelogError } from "../errors.js"
import { assertFound, assertFree, assertUnchanged } from "../memory/memory-faults.js"
import type { Chunks, Lease } from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import type { ObjectTable, StoredObject } from "./object-table.js"
import type { Release } from "./web-locks.js"

/** What a lease needs of its storage. */
export interface LeaseHost {
  transact<T>(key: string, operation: string, work: (table: ObjectTable) => Promise<T>): Promise<T>
  /** @throws SessionBusyError */
  take(key: string, waitMs: number): Promise<Release>
  changed(key: string): void
  newObject(size: number): StoredObject
  now(): number
}

/** The right to write one session of a database. Each method first collects the bytes, then stores them in one transaction. */
export class IndexedDbLease implements Lease {
  readonly #host: LeaseHost
  #key: string
  #release: Release | undefined

  constructor(host: LeaseHost, key: string, release: Release) {
    this.#host = host
    this.#key = key
    this.#release = release
  }

  get key(): string {
    return this.#key
  }

  async create(chunks: Chunks): Promise<StorageStat> {
    const { pieces, size } = await gathered(chunks)
    return this.#write("create", async (table) => {
      assertFree(this.#key, await table.get(this.#key))
      const object = this.#host.newObject(size)
      table.put(this.#key, object, pieces)
      return object.stat
    })
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    // A copy, since the caller may change the bytes while the transaction waits for its turn.
    const own = bytes.slice()
    return this.#write("append", async (table) => {
      const object = assertUnchanged(this.#key, await table.get(this.#key), expected)
      return table.append(this.#key, object, own, this.#host.now())
    })
  }

  /** Nothing to wait for: each transaction is durable when it resolves. */
  async sync(): Promise<void> {
    this.#assertHeld("sync")
  }

  async replace(
    chunks: Chunks,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    const { pieces, size } = await gathered(chunks)
    return this.#write("replace", async (table) => {
      const old = assertUnchanged(this.#key, await table.get(this.#key), expected)
      const kept = keepAs === undefined ? undefined : await table.quarantineFile(this.#key, keepAs, old)
      if (kept === undefined) table.deletePieces(old.stat.identity)
      const object = this.#host.newObject(size)
      table.put(this.#key, object, pieces)
      return { stat: object.stat, ...(kept !== undefined && { kept }) }
    })
  }

  async move(to: string): Promise<void> {
    this.#assertHeld("move")
    const release = await this.#host.take(to, 0)
    try {
      await this.#write("move", async (table) => {
        const object = assertFound(this.#key, await table.get(this.#key))
        const there = await table.get(to)
        if (there && there.stat.size > 0) assertFree(to, there)
        if (there) table.delete(to, there)
        table.rename(this.#key, to, object)
      })
    } catch (error) {
      await release()
      throw error
    }
    const releaseOld = this.#release
    this.#release = release
    this.#key = to
    this.#host.changed(to)
    await releaseOld?.()
  }

  async quarantine(suffix: string): Promise<string> {
    return this.#write("quarantine", async (table) => {
      const object = assertFound(this.#key, await table.get(this.#key))
      return table.quarantineFile(this.#key, suffix, object)
    })
  }

  async remove(): Promise<void> {
    await this.#write("remove", async (table) => {
      const object = await table.get(this.#key)
      if (object) table.delete(this.#key, object)
    })
  }

  async release(): Promise<void> {
    const release = this.#release
    this.#release = undefined
    await release?.()
  }

  async #write<T>(operation: string, work: (table: ObjectTable) => Promise<T>): Promise<T> {
    this.#assertHeld(operation)
    const outcome = await this.#host.transact(this.#key, operation, work)
    this.#host.changed(this.#key)
    return outcome
  }

  #assertHeld(operation: string): void {
    if (this.#release) return
    const data = { key: this.#key, operation, errno: undefined }
    throw new TreelogError("StorageError", `The lease of ${this.#key} was released: it cannot ${operation}`, data)
  }
}

async function gathered(chunks: Chunks): Promise<{ pieces: Uint8Array[]; size: number }> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    pieces.push(chunk.slice())
    size += chunk.length
  }
  return { pieces, size }
}
