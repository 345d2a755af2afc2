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

/** An escape of a character that is no ASCII. */
const ESCAPED = /\\u(?!00[0-7])/

/**
 * How a record becomes text, and an entry that is made of it bytes. In Latin-1 each byte is a character: JSON stays JSON, and what is copied
 * from a record into an entry becomes the same bytes again, without being decoded and encoded.
 */
export type TextEncoding = "utf8" | "latin1"

/** What reading Latin-1 takes, which browsers do not have. */
export interface Latin1 {
  isUtf8(bytes: Uint8Array): boolean
  textOf(bytes: Uint8Array): string
}

/** Blocks that are kept in memory. */
const KEPT_BLOCKS = 4

interface Range {
  readonly offset: number
  readonly length: number
}

/**
 * Reads records, which are mostly asked for in file order, from a few blocks that are kept: the lines of one reply may have those of
 * its results between them.
 */
export class RecordReader {
  readonly #source: ByteSource
  /** By number, the one that was used last at the end. */
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

  readonly #latin1: Latin1 | undefined

  constructor(source: ByteSource, latin1?: Latin1) {
    this.#source = source
    this.#latin1 = latin1
  }

  /** The record as text; of UTF-8, bytes that are none become U+FFFD. */
  text({ offset, length }: Range, encoding: TextEncoding = "utf8"): string {
    const bytes = this.bytes(offset, length)
    return encoding === "latin1" && this.#latin1 ? this.#latin1.textOf(bytes) : this.#decoder.decode(bytes)
  }

  /** Whether an entry can be made of the record as Latin-1: that can be read, all of it is UTF-8, and no escape stands for what would be several bytes. */
  canBeLatin1({ offset, length }: Range): boolean {
    const bytes = this.bytes(offset, length)
    if (!this.#latin1?.isUtf8(bytes)) return false
    const text = this.#latin1.textOf(bytes)
    // Most records have no such escape at all, which is found in a fifth of the time.
    return !text.includes("\\u") || !ESCAPED.test(text)
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
