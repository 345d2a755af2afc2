import type { BlobStore, StoredBlob } from "@treelog/session-core"
import { MemoryBlobStore, TreelogError } from "@treelog/session-core"

/** A memory store that notes every call, and can refuse puts and damage blobs. */
export class SpyBlobStore implements BlobStore {
  readonly inner = new MemoryBlobStore()
  /** `put <hash>`, `get <hash>`, and so on, in order; others may note their own things between. */
  readonly events: string[]
  readonly damaged = new Set<string>()
  /** Answers the next puts. */
  failures: Error[] = []
  reading = 0
  mostReading = 0

  constructor(events: string[] = []) {
    this.events = events
  }

  get puts(): string[] {
    return this.events.filter((event) => event.startsWith("put "))
  }

  /** Every call that asks for a blob or about one. */
  get reads(): string[] {
    return this.events.filter((event) => /^(get|has|size|list|openRead)\b/.test(event))
  }

  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const failure = this.failures.shift()
    if (failure) throw failure
    const hash = await this.inner.put(bytes)
    this.events.push(`put ${hash}`)
    return hash
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    this.events.push(`get ${hash}`)
    this.reading += 1
    this.mostReading = Math.max(this.mostReading, this.reading)
    try {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.damaged.has(hash)) throw damagedError(hash)
      return await this.inner.get(hash)
    } finally {
      this.reading -= 1
    }
  }

  has(hash: string): Promise<boolean> {
    this.events.push(`has ${hash}`)
    return this.inner.has(hash)
  }

  size(hash: string): Promise<number | undefined> {
    this.events.push(`size ${hash}`)
    return this.inner.size(hash)
  }

  list(): AsyncIterable<StoredBlob> {
    this.events.push("list")
    return this.inner.list()
  }

  async *openRead(hash: string): AsyncGenerator<Uint8Array> {
    this.events.push(`openRead ${hash}`)
    if (this.damaged.has(hash)) throw damagedError(hash)
    yield* this.inner.openRead(hash)
  }
}

function damagedError(hash: string): TreelogError {
  const data = { hash, actual: "0".repeat(64), quarantine: undefined }
  return new TreelogError("BlobDamagedError", `The bytes of blob ${hash} changed.`, data)
}
