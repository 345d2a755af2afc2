import { type BlobStore, type StoredBlob, TreelogError } from "@treelog/session-core"
import { assertHash, joinBytes, webDigest } from "@treelog/session-core/adapter"
import { createObject, overwriteObject, readObject, touchObject } from "./blob-object.js"
import { requireConditionalWrites } from "./conditional-writes.js"
import { assertCredentials } from "./credentials.js"
import { MOST_BYTES } from "./exchange.js"
import { listObjects } from "./list-objects.js"
import { type S3BlobStoreOptions, S3Client } from "./s3-client.js"
import { s3Error } from "./s3-error.js"
import { type ObjectStat, statObject } from "./stat-object.js"
import { type SweepOptions, type SweepReport, sweepBlobs } from "./sweep.js"
import { isSafeFromSweeps, WINDOW_MS } from "./sweep-marker.js"

// Crash argument. An object appears whole, by one request, under the hash of its bytes; the store compares them with the hash in
// the signature. So a writer can be killed anywhere, and what it had begun is there or not.
//
// `put` creates with `If-None-Match: *`. When the object is there already, it is read and compared once by each `S3BlobStore`, since others
// may have written it; damage is overwritten. Then it is copied onto itself, which makes it as young as a new one, so that a sweep
// keeps it until the line that names it is written. sweep.ts has the argument why no sweep can remove it in between.
//
// An answer that was lost is requested again. A create that took effect then reports that the object is there, which is read and
// compared like any other.

/** How often `put` starts again because the object changes meanwhile. */
const ROUNDS = 10

/** Stands for the ETag of an object whose bytes do not have its hash. */
const DAMAGED = Symbol("damaged")

/**
 * Blobs as objects of an S3 bucket, each under its SHA-256. Any number of machines may use one bucket and prefix.
 * A blob is held in memory as a whole while it is read or written.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client
  #conditionalWrites: Promise<void> | undefined
  /** The ETags of objects that this store wrote, or read and compared. */
  readonly #verified = new Map<string, string>()

  /** Opens no connection. @throws InvalidArgumentError */
  constructor(options: S3BlobStoreOptions) {
    if (typeof options.credentials !== "function") assertCredentials(options.credentials)
    this.#client = new S3Client(options)
  }

  /**
   * Stores the bytes and returns their hash. Bytes that are there already are not written again, but count as stored now; damaged ones are
   * replaced. The first call verifies that the store honours conditional writes.
   * @throws StorageError: `errno` is S3's code (`AccessDenied`), that of the connection (`ECONNREFUSED`), or `ConditionalWritesIgnored`;
   * what the source of chunks or the function for credentials throws
   */
  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    // `slice` of a Buffer is not a copy.
    const own = bytes instanceof Uint8Array ? new Uint8Array(bytes) : await collect(bytes)
    const hash = await webDigest.sha256(own)
    assertHash(hash)
    if (own.length > MOST_BYTES) {
      const reason = `EntityTooLarge: a blob has at most ${MOST_BYTES} bytes.`
      throw s3Error(this.#client.address, { operation: "put", name: hash }, "EntityTooLarge", reason)
    }
    this.#conditionalWrites ??= requireConditionalWrites(this.#client).catch((error: unknown) => {
      this.#conditionalWrites = undefined
      throw error
    })
    await this.#conditionalWrites
    for (let round = 1; round <= ROUNDS; round++) {
      if (!this.#verified.has(hash) && (await this.#create(hash, own))) return hash
      if (await this.#renew(hash, own)) return hash
    }
    const reason = "other programs kept changing or removing the object. Only treelog may write below this prefix."
    throw s3Error(this.#client.address, { operation: "put", name: hash }, undefined, reason)
  }

  /**
   * The bytes, verified; undefined when there is no such blob.
   * @throws InvalidArgumentError for an invalid hash; BlobDamagedError when the bytes do not match it: they are left, and the next `put` of the
   * blob replaces them; StorageError
   */
  async get(hash: string): Promise<Uint8Array | undefined> {
    assertHash(hash)
    const found = await readObject(this.#client, hash, "read")
    if (found === undefined || found.actual === hash) return found?.bytes
    this.#verified.delete(hash)
    const message = `The bytes of ${this.#client.address.uri(hash)} do not have this hash. Put the blob again to replace them.`
    throw new TreelogError("BlobDamagedError", message, { hash, actual: found.actual, quarantine: undefined })
  }

  /** @throws InvalidArgumentError, StorageError */
  async has(hash: string): Promise<boolean> {
    return (await this.size(hash)) !== undefined
  }

  /** The size of the blob in bytes; undefined when there is none. @throws InvalidArgumentError, StorageError */
  async size(hash: string): Promise<number | undefined> {
    assertHash(hash)
    return (await this.#stat(hash, "stat"))?.size
  }

  /**
   * Every blob, in no particular order, a page of the store's list at a time. Other objects below the prefix are skipped.
   * @throws StorageError
   */
  async *list(): AsyncGenerator<StoredBlob> {
    for await (const { name, size, modified } of listObjects(this.#client, "", "list"))
      if (/^[0-9a-f]{64}$/.test(name)) yield { hash: name, size, modified }
  }

  /**
   * The bytes, verified before the first of them is yielded.
   * @throws BlobNotFoundError, InvalidArgumentError, BlobDamagedError, StorageError
   */
  async *openRead(hash: string): AsyncGenerator<Uint8Array> {
    const bytes = await this.get(hash)
    if (bytes === undefined) throw new TreelogError("BlobNotFoundError", `There is no blob ${hash}.`, { hash })
    yield bytes
  }

  /**
   * Removes blobs that are not referenced and were last stored before `graceMs`. A dry run by default. One sweep at a time can run below a
   * prefix. Removed objects can be restored only where the bucket keeps versions.
   * @throws InvalidArgumentError; StorageError: `errno` is `SweepRunning` when another sweep runs; the `signal`'s reason
   */
  sweep(options: SweepOptions): Promise<SweepReport> {
    return sweepBlobs(this.#client, options)
  }

  /** Whether the object was created; false when it is there already. */
  async #create(hash: string, bytes: Uint8Array): Promise<boolean> {
    const etag = await createObject(this.#client, hash, bytes)
    if (etag !== undefined) this.#verified.set(hash, etag)
    return etag !== undefined
  }

  /** Makes an object that is there as young as a new one. Whether it is there, undamaged, and stays; false to start again. */
  async #renew(hash: string, bytes: Uint8Array): Promise<boolean> {
    let etag = this.#verified.get(hash) ?? (await this.#verify(hash))
    const sinceWriting = this.#client.timer.start()
    if (etag !== undefined && etag !== DAMAGED) {
      const copied = await touchObject(this.#client, hash)
      // It was changed before the copy, or this store gives copies an ETag of their own, or reports none.
      const isSame = copied === etag && etag !== ""
      etag = copied === undefined || isSame ? copied : await this.#verify(hash)
    }
    if (etag === DAMAGED) this.#verified.set(hash, await overwriteObject(this.#client, hash, bytes))
    else if (etag === undefined) {
      this.#verified.delete(hash)
      return false
    }
    if (await isSafeFromSweeps(this.#client, sinceWriting)) return true
    await this.#client.timer.sleep(WINDOW_MS)
    if ((await this.#stat(hash, "put")) !== undefined) return true
    this.#verified.delete(hash)
    return false
  }

  /** The ETag of the object, or DAMAGED; undefined when it is gone. */
  async #verify(hash: string): Promise<string | typeof DAMAGED | undefined> {
    const found = await readObject(this.#client, hash, "put")
    if (found !== undefined && found.actual === hash) this.#verified.set(hash, found.etag)
    return found === undefined || found.actual === hash ? found?.etag : DAMAGED
  }

  #stat(hash: string, operation: string): Promise<ObjectStat | undefined> {
    return statObject(this.#client, { operation, name: hash })
  }
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(new Uint8Array(chunk))
  return joinBytes(chunks)
}
