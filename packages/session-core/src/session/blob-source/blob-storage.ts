import { TreelogError } from "../../errors.js"
import type { StorageStat } from "../../ports/session-source.js"
import { noBytes, type ReadableStorage } from "../reader/read-stored.js"

/** One blob as a storage that can only be read. A blob never changes: where its file did, reading fails. */
export class BlobStorage implements ReadableStorage {
  readonly key: string
  readonly known: StorageStat
  readonly #blob: SourceBlob

  /** @throws InvalidSessionError when there are no bytes */
  constructor(key: string, blob: SourceBlob) {
    if (blob.size === 0) throw noBytes(key)
    this.key = key
    this.known = { size: blob.size, modified: 0, identity: key }
    this.#blob = blob
  }

  async stat(): Promise<StorageStat> {
    return this.known
  }

  /** @throws StorageError when the file was changed or removed since it was opened */
  async readRange(key: string, offset: number, length: number): Promise<Uint8Array> {
    try {
      return new Uint8Array(await this.#blob.slice(offset, Math.min(offset + length, this.known.size)).arrayBuffer())
    } catch (error) {
      const errno = error instanceof Error ? error.name : undefined
      const message = `${key} cannot be read any more: it was changed or removed since it was opened. Open it again.`
      throw new TreelogError("StorageError", message, { key, operation: "readRange", errno }, { cause: error })
    }
  }
}

// A page's `File` and `Blob`, by what is used of them: a range of theirs is read only when it is needed, and their bytes are kept
// by the browser, on disk where they are many.

/** Bytes of which any range can be read: a `Blob`, or a `File`. */
export interface SourceBlob {
  /** Bytes. */
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Bytes that come one after the other: a `ReadableStream`, such as the body of a response. */
export interface SourceStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    releaseLock(): void
  }
}

declare const Blob: { new (parts: readonly unknown[]): SourceBlob }

/** So many bytes of a stream are in memory before the browser gets them to keep. */
const PART = 4_194_304

/** The bytes as something that can be read in ranges. The bytes of a stream are given to the browser to keep. */
export async function blobOf(source: SourceBlob | SourceStream | Uint8Array): Promise<SourceBlob> {
  if (ArrayBuffer.isView(source)) return new Blob([source])
  return "getReader" in source ? kept(source) : source
}

async function kept(stream: SourceStream): Promise<SourceBlob> {
  const reader = stream.getReader()
  const parts: SourceBlob[] = []
  let chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (value) chunks.push(value)
      size += value?.length ?? 0
      if (done || size >= PART) {
        parts.push(new Blob(chunks))
        chunks = []
        size = 0
      }
      if (done) return new Blob(parts)
    }
  } finally {
    reader.releaseLock()
  }
}
