import type { BlobStore, StoredBlob } from "@treelog/session-core"

/** Blobs that are counted when they are put or read, each once. */
export class UsedBlobs implements BlobStore {
  readonly #blobs: BlobStore
  readonly #sizes = new Map<string, number>()

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  get used(): { count: number; bytes: number } {
    const sizes = [...this.#sizes.values()]
    return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  }

  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const hash = await this.#blobs.put(bytes)
    this.#sizes.set(hash, bytes instanceof Uint8Array ? bytes.length : ((await this.#blobs.size(hash)) ?? 0))
    return hash
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#blobs.get(hash)
    if (bytes) this.#sizes.set(hash, bytes.length)
    return bytes
  }

  has(hash: string): Promise<boolean> {
    return this.#blobs.has(hash)
  }

  size(hash: string): Promise<number | undefined> {
    return this.#blobs.size(hash)
  }

  list(): AsyncIterable<StoredBlob> {
    return this.#blobs.list()
  }

  openRead(hash: string): AsyncIterable<Uint8Array> {
    return this.#blobs.openRead(hash)
  }
}
