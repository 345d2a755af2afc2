import { isTreelogError } from "../../errors.js"
import { NamedBlobs } from "../../persist/named-blobs.js"
import type { BlobSource, BlobStore } from "../../ports/blob-store.js"
import { webDigest } from "../../ports/digest.js"
import type { SessionArtifact } from "../../ports/session-source.js"

/** Where blobs are copied from and to. Without `from`, those that `to` lacks are missing; without `to`, all are. */
export interface BlobStores {
  readonly from?: BlobSource | undefined
  readonly to?: BlobStore | undefined
  /** Called with the hash of a blob that could be copied if there was a `to`: what it throws, copying the session fails with. */
  readonly onNoStore?: ((hash: string) => void) | undefined
}

/** Copies the blobs that one session refers to. */
export class BlobCopier {
  readonly copied: string[] = []
  readonly missing: string[] = []
  readonly #stores: BlobStores | undefined
  readonly #tried: Map<string, boolean>
  readonly #seen = new Set<string>()

  /**
   * @param stores undefined copies nothing, and misses nothing
   * @param tried the hashes that other sessions refer to, and whether the target has each
   */
  constructor(stores: BlobStores | undefined, tried: Map<string, boolean>) {
    this.#stores = stores
    this.#tried = tried
  }

  async #copy(hash: string): Promise<void> {
    if (!this.#stores || this.#seen.has(hash)) return
    this.#seen.add(hash)
    const isThere = this.#tried.get(hash) ?? (await this.#isStored(hash, this.#stores))
    this.#tried.set(hash, isThere)
    if (!isThere) this.missing.push(hash)
  }

  /** A function that copies the blobs to which the chunks refer that it gets. @param before what stands before the first one */
  inChunks(before?: Uint8Array): (chunk: Uint8Array) => Promise<void> {
    const named = new NamedBlobs(before)
    return async (chunk) => {
      for (const hash of named.in(chunk)) await this.#copy(hash)
    }
  }

  async #isStored(hash: string, { from, to, onNoStore }: BlobStores): Promise<boolean> {
    if (await to?.has(hash)) return true
    if (!from || !(await from.has(hash))) return false
    if (!to) {
      onNoStore?.(hash)
      return false
    }
    try {
      await to.put(from.openRead(hash))
      this.copied.push(hash)
      return true
    } catch (error) {
      if (isTreelogError(error, "BlobDamagedError") || isTreelogError(error, "BlobNotFoundError")) return false
      throw error
    }
  }
}

/** The artifacts, each of whose pieces comes behind the blobs that it refers to. */
export async function* withBlobs(
  artifacts: AsyncIterable<SessionArtifact>,
  blobs: BlobCopier,
): AsyncGenerator<SessionArtifact> {
  for await (const { name, chunks } of artifacts) yield { name, chunks: chunks && chunksWithBlobs(chunks, blobs) }
}

async function* chunksWithBlobs(chunks: AsyncIterable<Uint8Array>, blobs: BlobCopier): AsyncGenerator<Uint8Array> {
  const copyNamed = blobs.inChunks()
  for await (const chunk of chunks) {
    await copyNamed(chunk)
    yield chunk
  }
}

/** Stores nothing: for the form that an entry has once its images and long texts are blobs. */
export const HASHING_BLOBS: Pick<BlobStore, "put"> = {
  put: async (bytes) => webDigest.sha256(bytes as Uint8Array),
}
