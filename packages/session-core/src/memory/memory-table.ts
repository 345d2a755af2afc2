import type { StorageStat } from "../ports/session-source.js"
import type { ObjectTable, StoredObject } from "./stored-object.js"

/** Bytes that can be appended to without copying all of them each time: the capacity doubles when it is used up. */
class GrowingBytes {
  #buffer = new Uint8Array(1024)
  #size = 0

  append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(size, 2 * this.#buffer.length))
      grown.set(this.#buffer)
      this.#buffer = grown
    }
    this.#buffer.set(bytes, this.#size)
    this.#size = size
  }

  /** A copy of the range; shorter if the bytes end before. */
  read(offset: number, length: number): Uint8Array {
    return this.#buffer.slice(offset, Math.min(offset + length, this.#size))
  }
}

/** The objects of a storage in memory. No method waits. */
export class MemoryTable implements ObjectTable {
  readonly #objects = new Map<string, StoredObject>()
  readonly #bytes = new Map<string, GrowingBytes>()

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)
  }

  keys(): string[] {
    return [...this.#objects].filter(([, { hidden }]) => !hidden).map(([key]) => key)
  }

  /** The bytes of an object. They can be read also after `deleteBytes`. */
  bytesOf(identity: string): GrowingBytes {
    const bytes = this.#bytes.get(identity) ?? new GrowingBytes()
    this.#bytes.set(identity, bytes)
    return bytes
  }

  read({ identity }: StorageStat, offset: number, length: number): Uint8Array {
    return this.bytesOf(identity).read(offset, length)
  }

  put(key: string, object: StoredObject): void {
    this.#objects.set(key, object)
  }

  delete(key: string): void {
    this.#objects.delete(key)
  }

  addBytes({ identity }: StorageStat, pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.bytesOf(identity).append(piece)
  }

  deleteBytes(identity: string): void {
    this.#bytes.delete(identity)
  }
}
