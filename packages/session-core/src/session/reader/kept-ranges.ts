import { joinBytes } from "../../log/join-bytes.js"
import type { StoredRanges } from "../../ports/session-storage.js"

/** The bytes of a stored session in memory: of a small one, and where the storage cannot read without promises. */
export class KeptRanges implements StoredRanges {
  readonly #chunks: readonly Uint8Array[]
  readonly #starts: number[] = []

  /** @param chunks are not changed any more */
  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = chunks
    let start = 0
    for (const { length } of chunks) {
      this.#starts.push(start)
      start += length
    }
  }

  read(offset: number, length: number): Uint8Array {
    const pieces: Uint8Array[] = []
    const end = offset + length
    for (let index = this.#chunkAt(offset); index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index] as Uint8Array
      const start = this.#starts[index] as number
      if (start >= end) break
      pieces.push(chunk.subarray(Math.max(0, offset - start), end - start))
    }
    return joinBytes(pieces)
  }

  close(): void {}

  /** The last chunk that begins at the offset or before. */
  #chunkAt(offset: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle
    }
    return low
  }
}
