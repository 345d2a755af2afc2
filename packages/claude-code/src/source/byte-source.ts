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

/** Blocks that are kept in memory. */
const KEPT_BLOCKS = 4

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
    const block = kept ?? this.#readBlock(number)
    this.#blocks.set(number, block)
    return block
  }

  /** Reads into the memory of the block that was used longest ago. */
  #readBlock(number: number): Uint8Array {
    const [oldest] = this.#blocks.keys()
    const isFull = oldest !== undefined && this.#blocks.size >= KEPT_BLOCKS
    const memory = (isFull ? this.#blocks.get(oldest)?.buffer : undefined) ?? new ArrayBuffer(BLOCK)
    if (isFull) this.#blocks.delete(oldest)
    const bytes = this.#source.read(number * BLOCK, BLOCK)
    const block = new Uint8Array(memory, 0, bytes.length)
    block.set(bytes)
    return block
  }
}
