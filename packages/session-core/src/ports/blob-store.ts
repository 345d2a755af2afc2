import { TreelogError } from "../errors.js"

const HASH = /^[0-9a-f]{64}$/
const REF = /^blob:sha256:([0-9a-f]{64})$/

/** The hash in a `blob:sha256:<hex>` reference; undefined for any other string. */
export function hashInRef(text: string): string | undefined {
  return REF.exec(text)?.[1]
}

/** The reference to the blob with this hash: `blob:sha256:<hex>`. */
export function blobRef(hash: string): string {
  return `blob:sha256:${hash}`
}

/** Checks that a string is 64 lower-case hex digits, before it is used in a path. @throws InvalidArgumentError */
export function assertHash(hash: string): void {
  if (HASH.test(hash)) return
  const data = { argument: "hash", value: hash }
  throw new TreelogError("InvalidArgumentError", "A blob's hash is 64 lower-case hex digits.", data)
}

/**
 * Blobs that can be read, each under the SHA-256 of its bytes (FORMAT.md, section 7). A hash is 64 lower-case hex digits; an
 * implementation rejects anything else before it uses it in a path or a query.
 */
export interface BlobSource {
  /**
   * Reads the bytes and verifies them against the hash. Undefined when there is no such blob.
   * @throws InvalidArgumentError for an invalid hash; BlobDamagedError when the bytes do not match it; StorageError
   */
  get(hash: string): Promise<Uint8Array | undefined>

  has(hash: string): Promise<boolean>

  /** The size of the blob in bytes; undefined when there is no such blob. */
  size(hash: string): Promise<number | undefined>

  /** Lists every blob, in no particular order. */
  list(): AsyncIterable<StoredBlob>

  /**
   * Reads the bytes in chunks and verifies them: a damaged blob throws BlobDamagedError after its last chunk.
   * @throws BlobNotFoundError when there is no such blob; InvalidArgumentError, BlobDamagedError, StorageError
   */
  openRead(hash: string): AsyncIterable<Uint8Array>
}

/** Stores blobs, each once. `@treelog/session-core/testing` exports the contract suite. */
export interface BlobStore extends BlobSource {
  /**
   * Stores the bytes and returns their hash. When it resolves, the blob is complete and durable, so that a line may refer to it. Bytes that are
   * stored already are not written again.
   * @throws StorageError
   */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
}

/** A blob in a listing. */
export interface StoredBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** When it was last stored. Milliseconds since 1970. */
  readonly modified: number
}
