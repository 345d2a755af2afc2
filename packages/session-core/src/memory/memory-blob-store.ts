import { TreelogError } from "../errors.js"
import { joinBytes } from "../log/bytes.js"
import { assertHash, type BlobStore, type StoredBlob } from "../ports/blob-store.js"
import { type Clock, systemClock } from "../ports/clock.js"
import { type Digest, webDigest } from "../ports/digest.js"
import { collect } from "./stored-object.js"

/** Stores blobs in memory, for as long as the object lives: for tests and browsers, and as the reference implementation. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, { bytes: Uint8Array; modified: number }>()
  readonly #digest: Digest
  readonly #clock: Clock

  constructor({ digest = webDigest, clock = systemClock }: { digest?: Digest; clock?: Clock } = {}) {
    this.#digest = digest
    this.#clock = clock
  }

  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const whole = bytes instanceof Uint8Array ? new Uint8Array(bytes) : joinBytes(await collect(bytes))
    const hash = await this.#digest.sha256(whole)
    this.#blobs.set(hash, { bytes: this.#blobs.get(hash)?.bytes ?? whole, modified: this.#clock.now() })
    return hash
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    assertHash(hash)
    return this.#blobs.get(hash)?.bytes.slice()
  }

  async has(hash: string): Promise<boolean> {
    assertHash(hash)
    return this.#blobs.has(hash)
  }

  async size(hash: string): Promise<number | undefined> {
    assertHash(hash)
    return this.#blobs.get(hash)?.bytes.length
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const [hash, { bytes, modified }] of [...this.#blobs]) yield { hash, size: bytes.length, modified }
  }

  async *openRead(hash: string): AsyncGenerator<Uint8Array> {
    const bytes = await this.get(hash)
    if (!bytes) throw new TreelogError("BlobNotFoundError", `There is no blob ${hash}.`, { hash })
    yield bytes
  }
}
