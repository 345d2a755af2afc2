/** Bytes that can be read again, such as an open file. They may grow between updates. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /** Reads `length` bytes from `offset`; fewer only if the source ends before. The result is valid until the next read. */
  read(offset: number, length: number): Uint8Array
}

/** Bytes in memory as a source. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** Bytes that are read at once. */
export const BLOCK = 256 * 1024

/**
 * Reads records, which are mostly asked for in file order, from a few blocks that are kept: the lines of one reply may have those of
 * its results between them.
 */
export class RecordReader {
  readonly #source: ByteSource
  /** By number, the one that was used last at the end. */
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** The record as text; bytes that are not UTF-8 become U+FFFD. */
  text({ offset, length }: { readonly offset: number; readonly length: number }): string {
    return this.#decoder.decode(this.bytes(offset, length))
  }

  /** Valid until the next read. */
  bytes(offset: number, length: number): Uint8Array {
    const first = Math.floor(offset / BLOCK)
    const last = Math.floor((offset + length - 1) / BLOCK)
    if (first !== last) return this.#source.read(offset, length)
    const start = offset - first * BLOCK
    return this.#block(first).subarray(start, start + length)
  }

  #block(number: number): Uint8Array {
    const kept = this.#blocks.get(number)
    this.#blocks.delete(number)
    const block = kept ?? new Uint8Array(this.#source.read(number * BLOCK, BLOCK))
    this.#blocks.set(number, block)
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= 4) break
      this.#blocks.delete(oldest)
    }
    return block
  }
}
