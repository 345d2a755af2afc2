import { isTreelogError, TreelogError } from "@treelog/session-core"
import { joinBytes, type ObjectTable, type StorageStat } from "@treelog/session-core/adapter"

type StoredObject = Parameters<ObjectTable["put"]>[1]

// Stored objects as rows. An object is one row under its key, and its bytes are separate rows under its identity, so that an append
// writes only its own bytes. Everything that a write reads and changes is in one transaction: if the tab is closed in the middle, or
// the disk is full, nothing changes.

const OBJECTS = "objects"
const PIECES = "pieces"

/** Appends are merged into pieces of up to this size. Bytes. */
const PIECE = 16 * 1024

/** The rows as one transaction sees and changes them. */
class DatabaseTable implements ObjectTable {
  readonly #objects: IDBObjectStore
  readonly #pieces: IDBObjectStore

  constructor(store: (name: string) => IDBObjectStore) {
    this.#objects = store(OBJECTS)
    this.#pieces = store(PIECES)
  }

  async get(key: string): Promise<StoredObject | undefined> {
    return (await result(this.#objects.get(key))) as StoredObject | undefined
  }

  async keys(): Promise<string[]> {
    const [keys, objects] = await Promise.all([result(this.#objects.getAllKeys()), result(this.#objects.getAll())])
    return keys.filter((_, at) => !(objects[at] as StoredObject).hidden) as string[]
  }

  /** Reads a range of bytes, from the rows that contain it. */
  async read({ identity, size }: StorageStat, offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(offset + length, size)
    if (end <= offset) return new Uint8Array()
    const from = (await this.#pieceAt(identity, offset)) ?? 0
    const pieces = (await result(this.#pieces.getAll(range([identity, from], [identity, end - 1])))) as Uint8Array[]
    const bytes = new Uint8Array(end - offset)
    let at = from
    for (const piece of pieces) {
      bytes.set(piece.subarray(Math.max(0, offset - at), Math.max(0, end - at)), Math.max(0, at - offset))
      at += piece.length
    }
    return bytes
  }

  put(key: string, object: StoredObject): void {
    this.#objects.put(object, key)
  }

  delete(key: string): void {
    this.#objects.delete(key)
  }

  async addBytes(
    { identity, size }: StorageStat,
    [first = new Uint8Array(), ...rest]: readonly Uint8Array[],
  ): Promise<void> {
    const last = size > 0 ? await this.#pieceAt(identity, size) : undefined
    let at = size
    let piece = first
    if (last !== undefined && size - last + first.length <= PIECE) {
      at = last
      piece = joinBytes([(await result(this.#pieces.get([identity, last]))) as Uint8Array, first])
    }
    for (const next of [piece, ...rest]) {
      if (next.length > 0) this.#pieces.put(next, [identity, at])
      at += next.length
    }
  }

  deleteBytes(identity: string): void {
    this.#pieces.delete(range([identity, 0], [identity, Number.MAX_SAFE_INTEGER]))
  }

  /** The start of the last piece that begins at or before the offset. */
  async #pieceAt(identity: string, offset: number): Promise<number | undefined> {
    const cursor = await result(this.#pieces.openKeyCursor(range([identity, 0], [identity, offset]), "prev"))
    return cursor ? (cursor.key as [string, number])[1] : undefined
  }
}

function range(from: readonly [string, number], to: readonly [string, number]): IDBKeyRange {
  return IDBKeyRange.bound(from, to)
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => {
    for (const store of [OBJECTS, PIECES]) opening.result.createObjectStore(store)
  }
  return result(opening)
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Runs work in transactions of one database, which is opened when it is first needed. */
export class Transactions {
  readonly #name: string
  #database: Promise<IDBDatabase> | undefined

  constructor(name: string) {
    this.#name = name
  }

  /**
   * Runs `work` in one transaction: when this resolves, all of its changes are stored; when it rejects, none. `work` must await only
   * calls of the table, since a transaction ends when it has no pending request.
   * @param key the key for errors
   * @throws StorageError, and the treelog errors of `work`
   */
  async run<T>(
    key: string,
    operation: string,
    mode: "readonly" | "readwrite",
    work: (table: DatabaseTable) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#run(mode, work)
    } catch (error) {
      if (isTreelogError(error)) throw error
      const errno = error instanceof Error ? error.name : undefined
      const message = `The database ${this.#name} could not ${operation} ${key}: ${error instanceof Error ? error.message : String(error)}`
      throw new TreelogError("StorageError", message, { key, operation, errno }, { cause: error })
    }
  }

  async #run<T>(mode: "readonly" | "readwrite", work: (table: DatabaseTable) => Promise<T>): Promise<T> {
    const transaction = (await this.#open()).transaction([OBJECTS, PIECES], mode, { durability: "strict" })
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    const working = work(new DatabaseTable((name) => transaction.objectStore(name))).catch((error: unknown) => {
      // A failed request has aborted it already, and aborting twice throws.
      if (transaction.error === null) transaction.abort()
      throw error
    })
    const [outcome, end] = await Promise.allSettled([working, ended])
    if (outcome.status === "rejected") throw outcome.reason
    if (end.status === "rejected") throw end.reason
    return outcome.value
  }

  async close(): Promise<void> {
    const opened = this.#database
    this.#database = undefined
    const [database] = await Promise.allSettled([opened])
    if (database.status === "fulfilled") database.value?.close()
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.#name).then(
      (database) => {
        // Another page wants to remove the database, which waits until all connections are closed.
        database.onversionchange = () => void this.close()
        return database
      },
      (error) => {
        this.#database = undefined
        throw error
      },
    )
    return this.#database
  }
}
