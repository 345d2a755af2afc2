import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import { type Lease, type StorageStat, systemClock } from "@treelog/session-core/adapter"
import { decodeHeader, encodeHeader, LONGEST_HEADER, type ObjectHeader } from "./object-header.js"
import { assertPart, cwdOf, type ObjectName, sessionPlaceOf } from "./object-name.js"

const WAIT_MS = 30_000
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

/** Where an adapter keeps its objects. */
export interface ObjectStoreOptions {
  /** Any storage of treelog, preferably one without sessions of treelog, whose lists would have the objects too. */
  readonly storage: SessionStorage
  /** Nothing else in the storage may use the same prefix. */
  readonly prefix?: string | undefined
  /** How long a change waits for another writer of the same object. Milliseconds; 30 seconds by default. */
  readonly waitMs?: number | undefined
}

/**
 * The objects of an adapter in any storage, which it can read and change: bytes with names of several parts. Each has a header line with its name, then
 * its content.
 */
export class ObjectStore {
  readonly prefix: string
  readonly #storage: SessionStorage
  readonly #waitMs: number
  /** The last change of each object that is being changed, so that changes of this process happen in the order of the calls. */
  readonly #changes = new Map<string, Promise<unknown>>()

  /** @throws InvalidArgumentError for an invalid prefix */
  constructor({ storage, prefix, waitMs = WAIT_MS }: ObjectStoreOptions, defaultPrefix: string) {
    this.prefix = prefix ?? defaultPrefix
    assertPart("prefix", this.prefix)
    this.#storage = storage
    this.#waitMs = waitMs
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

  /**
   * Runs `work` while no other writer can change the object, after the changes of it that were begun earlier.
   * @throws SessionBusyError, StorageError
   */
  change<T>(name: ObjectName, work: (object: HeldObject) => Promise<T>): Promise<T> {
    const text = JSON.stringify(name)
    const earlier = this.#changes.get(text)
    const change = Promise.allSettled([earlier]).then(() => this.#change(name, work))
    const settled = Promise.allSettled([change]).then(() => {
      if (this.#changes.get(text) === settled) this.#changes.delete(text)
    })
    this.#changes.set(text, settled)
    return change
  }

  /**
   * Moves an object to another name, in place of what is stored there. After a crash both may exist.
   * @throws SessionBusyError, StorageError
   */
  async move(from: ObjectName, to: ObjectName): Promise<void> {
    // Always in the same order, so that no two moves wait for each other.
    const isForward = JSON.stringify(from) < JSON.stringify(to)
    const [first, second] = isForward ? [from, to] : [to, from]
    await this.change(first, (one) =>
      this.change(second, async (other) => {
        const [source, target] = isForward ? [one, other] : [other, one]
        const found = await this.read(from)
        if (!found) return
        await target.write(found.content, found.object)
        await source.remove()
      }),
    )
  }

  async #change<T>(name: ObjectName, work: (object: HeldObject) => Promise<T>): Promise<T> {
    const key = this.#storage.keyFor(await sessionPlaceOf(name))
    const lease = await this.#storage.lease(key, { access: "shared", waitMs: this.#waitMs })
    try {
      return await work(new HeldObject(this, this.#storage, lease, name))
    } finally {
      await lease.release()
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

/** An object that only this holder can change. What a method wrote is durable when it resolves. */
export class HeldObject {
  readonly #store: ObjectStore
  readonly #storage: SessionStorage
  readonly #lease: Lease
  readonly #name: ObjectName

  constructor(store: ObjectStore, storage: SessionStorage, lease: Lease, name: ObjectName) {
    this.#store = store
    this.#storage = storage
    this.#lease = lease
    this.#name = name
  }

  get key(): string {
    return this.#lease.key
  }

  find(): Promise<StoredObject | undefined> {
    return this.#store.find(this.#name)
  }

  /** Reads the bytes from an offset to the end. @throws StorageError */
  readFrom(stat: StorageStat, from: number): Promise<Uint8Array> {
    return this.#store.readFrom({ key: this.key, stat }, from)
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
