/**
 * Where large things are kept, each once, under the SHA-256 of its bytes (FORMAT.md, section 7). A hash is 64 lower-case hex
 * digits; an implementation refuses anything else before it meets a path or a query.
 * `@treelog/session-core/testing` exports the contract suite.
 */
export interface BlobStore {
  /**
   * Stores the bytes and returns their hash. When it resolves the blob is whole and durable; a line may name it. Bytes that are
   * stored already are not written again.
   * @throws StorageError
   */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>

  /**
   * The bytes, verified against the hash; undefined when there is no such blob.
   * @throws InvalidArgumentError for what is no hash; BlobDamagedError when the bytes are not those that were stored; StorageError
   */
  get(hash: string): Promise<Uint8Array | undefined>

  has(hash: string): Promise<boolean>

  /** Bytes of the blob; undefined when there is none. */
  size(hash: string): Promise<number | undefined>

  /** Every blob, in no particular order. */
  list(): AsyncIterable<StoredBlob>

  /**
   * The bytes in pieces. They are verified as they pass: damage shows as BlobDamagedError at the end, before the stream is done.
   * @throws BlobNotFoundError when there is no such blob; InvalidArgumentError, BlobDamagedError, StorageError
   */
  openRead(hash: string): AsyncIterable<Uint8Array>
}

/** A blob as a listing names it. */
export interface StoredBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970: when it was stored, or put again. */
  readonly modified: number
}
