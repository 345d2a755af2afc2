import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"
import { decodeHeader, LONGEST_HEADER, type ObjectHeader } from "./object-header.js"
import { cwdOf, type ObjectName, sessionPlaceOf } from "./object-name.js"

/** How much is asked of the storage at once. */
const BLOCK_BYTES = 64 * 1024 * 1024

// Another writer replaces an object while it is read: so often in a row, it is not a race any more.
const READS = 20
const HASH = /^[0-9a-f]{64}$/

/** An object that was found. */
export interface StoredObject extends ObjectHeader {
  readonly key: string
  readonly stat: StorageStat
  /** The bytes of its header: its content begins there. */
  readonly start: number
}

/** Reads objects of bytes with names of several parts from any storage: a header line with the name, then the content. */
export class ObjectReader {
  readonly #storage: SessionStorage

  constructor(storage: SessionStorage) {
    this.#storage = storage
  }

  /** @throws InvalidSessionError, StorageError */
  async find(name: ObjectName): Promise<StoredObject | undefined> {
    const key = this.#storage.keyFor(await sessionPlaceOf(name))
    return whenUnchanged(() => this.#find(key))
  }

  /** Reads an object with its content. @throws InvalidSessionError, StorageError */
  async read(name: ObjectName): Promise<{ readonly object: StoredObject; readonly content: Uint8Array } | undefined> {
    const key = this.#storage.keyFor(await sessionPlaceOf(name))
    return whenUnchanged(async () => {
      const object = await this.#find(key)
      return object && { object, content: await this.readFrom(object, object.start) }
    })
  }

  /** Reads the bytes of an object from an offset to its end. @throws SessionChangedError when it was replaced; StorageError */
  async readFrom({ key, stat }: Pick<StoredObject, "key" | "stat">, from: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(stat.size - from, 0))
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(bytes.length - at, BLOCK_BYTES)
      const part = await this.#storage.readRange(key, from + at, length, stat.identity)
      bytes.set(part, at)
      // A truncated object: no further read would return more.
      if (part.length === 0) return bytes.subarray(0, at)
      at += part.length
    }
    return bytes
  }

  /** Lists the objects of a folder, in no particular order. @throws InvalidSessionError, StorageError */
  async *list(folder: ObjectName): AsyncGenerator<StoredObject> {
    for await (const { key, id = "", error } of this.#storage.list({ cwd: cwdOf(folder) })) {
      if (error) throw error
      // Different folders, and sessions of treelog, may be listed together.
      if (!HASH.test(id)) continue
      const object = await whenUnchanged(() => this.#find(key))
      if (object?.name.length === folder.length + 1 && folder.every((part, index) => object.name[index] === part))
        yield object
    }
  }

  async #find(key: string): Promise<StoredObject | undefined> {
    const stat = await this.#storage.stat(key)
    // Nothing is acknowledged of an object without bytes: its creation was interrupted.
    if (!stat || stat.size === 0) return undefined
    const bytes = await this.#storage.readRange(key, 0, Math.min(stat.size, LONGEST_HEADER), stat.identity)
    const { size, ...header } = decodeHeader(key, bytes)
    return { key, stat, start: size, ...header }
  }
}

/** Reads again what another writer replaced or removed in the meantime. */
async function whenUnchanged<T>(read: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await read()
    } catch (error) {
      const isRace = isTreelogError(error, "SessionChangedError") || isTreelogError(error, "SessionNotFoundError")
      if (!isRace || number === READS) throw error
    }
  }
}
