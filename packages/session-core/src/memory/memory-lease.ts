import { TreelogError } from "../errors.js"
import type { Chunks, Lease } from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { GrowingBytes } from "./growing-bytes.js"
import type { LeaseHolders } from "./lease-holders.js"
import { assertFound, assertFree, assertUnchanged } from "./memory-faults.js"
import type { MemoryObject, MemoryObjects } from "./memory-objects.js"

/** The right to write one session of a memory storage. Each method first collects the bytes, then checks and writes in one step. */
export class MemoryLease implements Lease {
  readonly #objects: MemoryObjects
  readonly #holders: LeaseHolders
  #key: string
  #released = false

  constructor(key: string, objects: MemoryObjects, holders: LeaseHolders) {
    this.#key = key
    this.#objects = objects
    this.#holders = holders
  }

  get key(): string {
    return this.#key
  }

  async create(chunks: Chunks): Promise<StorageStat> {
    const bytes = await GrowingBytes.of(chunks)
    assertFree(this.#key, this.#held("create"))
    return this.#objects.put(this.#key, bytes)
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    const object = assertUnchanged(this.#key, this.#held("append"), expected)
    return this.#objects.append(this.#key, object, bytes)
  }

  /** Nothing to wait for: memory does not survive a crash. */
  async sync(): Promise<void> {
    this.#held("sync")
  }

  async replace(
    chunks: Chunks,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    const bytes = await GrowingBytes.of(chunks)
    const object = assertUnchanged(this.#key, this.#held("replace"), expected)
    if (keepAs === undefined) return { stat: this.#objects.put(this.#key, bytes) }
    const kept = this.#objects.quarantineFile(this.#key, keepAs, object)
    return { stat: this.#objects.put(this.#key, bytes), kept }
  }

  async move(to: string): Promise<void> {
    const object = assertFound(this.#key, this.#held("move"))
    assertFree(to, this.#objects.get(to))
    this.#holders.takeNow(to)
    this.#objects.rename(this.#key, to, object)
    this.#holders.release(this.#key)
    this.#key = to
  }

  async quarantine(suffix: string): Promise<string> {
    const object = assertFound(this.#key, this.#held("quarantine"))
    return this.#objects.quarantineFile(this.#key, suffix, object)
  }

  async remove(): Promise<void> {
    this.#held("remove")
    this.#objects.delete(this.#key)
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    this.#holders.release(this.#key)
  }

  /** The object stored under the key. @throws StorageError when the lease was released */
  #held(operation: string): MemoryObject | undefined {
    if (!this.#released) return this.#objects.get(this.#key)
    const data = { key: this.#key, operation, errno: undefined }
    throw new TreelogError("StorageError", `The lease of ${this.#key} was released: it cannot ${operation}`, data)
  }
}
