import { noBytes, readHeader } from "../reader/read-stored.js"
import { BlobStorage, blobOf, type SourceBlob, type SourceStream } from "./blob-storage.js"
import { SessionReader } from "./session-reader.js"

/** What reading a given session may need. */
export interface ReadSessionOptions {
  /** What the session is called in errors. Default `"session"`. */
  readonly name?: string
}

/**
 * Reads a session out of a `File` or `Blob`, a `ReadableStream`, or bytes, in a page, a worker, or anywhere else. Nothing is written
 * anywhere, and of a blob no more is read than is needed: at first only the header. A stream is read to its end.
 * @throws InvalidSessionError when its first parseable line is not a header; StorageError when it cannot be read
 */
export async function readSession(
  source: SourceBlob | SourceStream | Uint8Array,
  { name = "session" }: ReadSessionOptions = {},
): Promise<SessionReader> {
  const storage = new BlobStorage(name, await blobOf(source))
  if (!(await readHeader(storage, name))) throw noBytes(name)
  return new SessionReader(storage)
}
