import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { type BlobStore, type Clock, type StoredBlob, TreelogError } from "@treelog/session-core"
import { assertHash, systemClock } from "@treelog/session-core/adapter"
import {
  chunksOf,
  type FsPort,
  nodeFs,
  readWhole,
  statIfThere,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import { kindOfName } from "./blob-names.js"
import { BlobPlace } from "./blob-place.js"
import { namesIn } from "./names-in.js"
import { openIfThere, withFile } from "./open-file.js"
import { quarantine } from "./quarantine.js"
import { identityOf, modifiedOf } from "./stored-stat.js"

/** What a store takes from its environment. */
export interface FileBlobStoreOptions {
  readonly fs?: FsPort
  readonly clock?: Clock
}

/**
 * Blobs as files: raw bytes, each under its SHA-256, in one folder (FORMAT.md, sections 1 and 7). The folder, and those
 * above it, are made when the first blob is put, for their owner alone, and so are the files. Any number of processes
 * may use one folder.
 */
export class FileBlobStore implements BlobStore {
  readonly folder: string
  readonly #fs: FsPort
  readonly #clock: Clock
  readonly #place: BlobPlace

  /** Touches no disk. */
  constructor(folder: string, { fs = nodeFs, clock = systemClock }: FileBlobStoreOptions = {}) {
    this.folder = resolve(folder)
    this.#fs = fs
    this.#clock = clock
    this.#place = new BlobPlace({ fs, folder: this.folder, clock })
  }

  /**
   * Stores the bytes and resolves to their hash when they are on the disk. Bytes that are there already are not written
   * again, but count as put now.
   * @throws StorageError; what a source of chunks fails with comes out as it is, a system's error as the `cause` of a
   * StorageError
   */
  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    return withStorageErrors(this.folder, "put a blob in", async () => {
      if (!(bytes instanceof Uint8Array)) return this.#place.write(bytes)
      // `slice` of a Buffer is not a copy.
      const own = new Uint8Array(bytes)
      const hash = sha256(own)
      return (await this.#place.renew(hash, own.length)) ? hash : this.#place.write([own], hash)
    })
  }

  /**
   * The bytes, verified; undefined when there is no such blob.
   * @throws InvalidArgumentError for what is not a hash; BlobDamagedError when the bytes are not those that were stored:
   * the file is then quarantined as `<hash>.damaged-<time>`; StorageError
   */
  async get(hash: string): Promise<Uint8Array | undefined> {
    const path = this.#path(hash)
    return withStorageErrors(path, "read", async () => {
      const read = await withFile(this.#fs, path, async (file, stat) => {
        const buffer = new Uint8Array(Number(stat.size))
        const bytes = buffer.subarray(0, await readWhole(file, buffer, 0))
        return { bytes, actual: sha256(bytes), identity: identityOf(stat) }
      })
      if (read !== undefined && read.actual !== hash) throw await quarantine(this.#parts, { hash, ...read })
      return read?.bytes
    })
  }

  /** @throws InvalidArgumentError, StorageError */
  async has(hash: string): Promise<boolean> {
    return (await this.size(hash)) !== undefined
  }

  /**
   * Bytes of the blob; undefined when there is none.
   * @throws InvalidArgumentError, StorageError
   */
  async size(hash: string): Promise<number | undefined> {
    const path = this.#path(hash)
    const stat = await withStorageErrors(path, "stat", () => statIfThere(this.#fs, path))
    return stat?.isFile() ? Number(stat.size) : undefined
  }

  /**
   * Every blob, in no particular order. Other files in the folder are skipped.
   * @throws StorageError
   */
  async *list(): AsyncGenerator<StoredBlob> {
    try {
      for (const name of await namesIn(this.#fs, this.folder)) {
        if (kindOfName(name) !== "blob") continue
        const stat = await statIfThere(this.#fs, join(this.folder, name))
        if (stat?.isFile()) yield { hash: name, size: Number(stat.size), modified: modifiedOf(stat) }
      }
    } catch (error) {
      throw toStorageError(error, this.folder, "list")
    }
  }

  /**
   * The bytes in pieces, verified while they are read: the caller has seen all of them when damage is reported, before the stream
   * is done.
   * @throws BlobNotFoundError, InvalidArgumentError, BlobDamagedError (as `get`), StorageError
   */
  async *openRead(hash: string): AsyncGenerator<Uint8Array> {
    const path = this.#path(hash)
    try {
      const file = await openIfThere(this.#fs, path)
      try {
        const stat = await file?.stat({ bigint: true })
        if (file === undefined || !stat?.isFile()) throw notFound(hash)
        const digest = createHash("sha256")
        for await (const chunk of chunksOf(file, { fresh: true })) {
          digest.update(chunk)
          yield chunk
        }
        const actual = digest.digest("hex")
        if (actual !== hash) throw await quarantine(this.#parts, { hash, actual, identity: identityOf(stat) })
      } finally {
        await file?.close()
      }
    } catch (error) {
      throw toStorageError(error, path, "read")
    }
  }

  /** The only way from a hash to a path. */
  #path(hash: string): string {
    assertHash(hash)
    return join(this.folder, hash)
  }

  get #parts() {
    return { fs: this.#fs, folder: this.folder, clock: this.#clock }
  }
}

function notFound(hash: string): TreelogError<"BlobNotFoundError"> {
  return new TreelogError("BlobNotFoundError", `There is no blob ${hash}.`, { hash })
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
