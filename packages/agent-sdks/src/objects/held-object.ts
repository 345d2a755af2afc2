import type { SessionStorage } from "@treelog/session-core"
import { type Lease, type StorageStat, systemClock } from "@treelog/session-core/adapter"
import { encodeHeader, type ObjectHeader } from "./object-header.js"
import type { ObjectName } from "./object-name.js"
import type { ObjectReader, StoredObject } from "./object-reader.js"

/** An object that only this holder can change. What a method wrote is durable when it resolves. */
export class HeldObject {
  readonly #reader: ObjectReader
  readonly #storage: SessionStorage
  readonly #lease: Lease
  readonly #name: ObjectName

  constructor(reader: ObjectReader, storage: SessionStorage, lease: Lease, name: ObjectName) {
    this.#reader = reader
    this.#storage = storage
    this.#lease = lease
    this.#name = name
  }

  get key(): string {
    return this.#lease.key
  }

  find(): Promise<StoredObject | undefined> {
    return this.#reader.find(this.#name)
  }

  /** Reads the bytes from an offset to the end. @throws StorageError */
  readFrom(stat: StorageStat, from: number): Promise<Uint8Array> {
    return this.#reader.readFrom({ key: this.key, stat }, from)
  }

  /** Undefined when nothing is stored, or only the name of an object whose creation was interrupted. */
  async stat(): Promise<StorageStat | undefined> {
    const stat = await this.#storage.stat(this.key)
    return stat?.size === 0 ? undefined : stat
  }

  /** Creates the object if there is none. @throws SessionChangedError, StorageError */
  async append(bytes: Uint8Array): Promise<StorageStat> {
    const found = await this.stat()
    if (!found) return this.write(bytes)
    const stat = await this.#lease.append(bytes, found)
    await this.#lease.sync()
    return stat
  }

  /**
   * Stores the content as a whole, in place of the old one.
   * @param like what the header says; by default as before, and for a new object that it is a file and was created now
   * @throws SessionChangedError, StorageError
   */
  async write(content: Uint8Array, like?: Partial<Pick<ObjectHeader, "kind" | "created">>): Promise<StorageStat> {
    const expected = await this.#storage.stat(this.key)
    const old = await this.find()
    const kind = like?.kind ?? old?.kind ?? "file"
    const created = like?.created ?? old?.created ?? systemClock.now()
    const chunks = [encodeHeader({ name: this.#name, kind, created }), content]
    const stat = expected ? (await this.#lease.replace(chunks, { expected })).stat : await this.#lease.create(chunks)
    await this.#lease.sync()
    return stat
  }

  async remove(): Promise<void> {
    await this.#lease.remove()
  }
}
