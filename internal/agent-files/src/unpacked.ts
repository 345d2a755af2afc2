import { TreelogError } from "@treelog/session-core"

/** What a file may be unpacked to. Bytes. */
export const LARGEST_FILE = 1024 * 1024 * 1024
/** What a record may be unpacked to. Bytes. */
export const LARGEST_RECORD = 128 * 1024 * 1024
/** The largest window that decoders of zstd have to support (RFC 8878): it is moved with each block. Bytes. */
const LARGEST_WINDOW = 8 * 1024 * 1024
/** The most that a compressed block has. Bytes. */
const BLOCK = 128 * 1024
/** So much is unpacked at once. Bytes. */
const PIECE = 4 * 1024 * 1024

/** The decoder of zstd, as the package `fzstd` has it. */
export type Decoder = new (onData: (piece: Uint8Array) => void) => { push(piece: Uint8Array, isLast?: boolean): void }

/** @param key of what has the bytes */
export interface UnpackOptions {
  readonly key: string
  /** What it may become. Bytes. */
  readonly limit: number
}

/**
 * Unpacks what zstd packed, a few megabytes at a time. Each piece is valid until the next one is asked for.
 * @throws InvalidSessionError where it becomes larger than the limit; the errors of the decoder
 */
export function* unpacked(
  packed: Iterable<Uint8Array>,
  Decoder: Decoder,
  options: UnpackOptions,
): Generator<Uint8Array> {
  const ready: Uint8Array[] = []
  const decoder = new Decoder((piece) => {
    ready.push(piece)
  })
  const blocks = new Blocks(options)
  for (const bytes of packed)
    for (const part of blocks.parts(bytes)) {
      // A copy: what is not unpacked yet is kept, and `slice` of a Buffer shares its memory.
      decoder.push(new Uint8Array(part))
      yield* ready.splice(0)
    }
  decoder.push(new Uint8Array(), true)
  yield* ready
}

/** Follows the frames and blocks of zstd by their headers, which say how large each becomes. */
class Blocks {
  readonly #options: UnpackOptions
  /** The bytes of a header, until it is complete. */
  readonly #head: number[] = []
  /** Bytes until the next header. */
  #left = 0
  #isFrame = true
  #hasChecksum = false
  /** What the blocks become at most, all of them and those since the last cut. Bytes. */
  #total = 0
  #since = 0

  constructor(options: UnpackOptions) {
    this.#options = options
  }

  /** The bytes in parts, of which each becomes a few megabytes. */
  *parts(bytes: Uint8Array): Generator<Uint8Array> {
    let from = 0
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at)
        this.#left -= skipped
        at += skipped
      } else {
        this.#head.push(bytes[at++] as number)
        if (this.#isFrame ? this.#frame() : this.#block()) this.#head.length = 0
      }
      if (this.#since < PIECE) continue
      yield bytes.subarray(from, at)
      from = at
      this.#since = 0
    }
    yield bytes.subarray(from)
  }

  /** Whether the header of a frame is complete. What is none is left to the decoder. */
  #frame(): boolean {
    const [descriptor, window = 0] = this.#head.slice(4)
    if (descriptor === undefined) return false
    const magic = this.#number(0, 4)
    if (magic !== 0xfd2fb528) {
      if (this.#head.length < 8) return false
      this.#left = (magic & 0xfffffff0) >>> 0 === 0x184d2a50 ? this.#number(4, 4) : Number.POSITIVE_INFINITY
      return true
    }
    const isSingle = (descriptor & 32) !== 0
    const [start, dictionary] = [isSingle ? 5 : 6, [0, 1, 2, 4][descriptor & 3] ?? 0]
    const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
    if (this.#head.length < start + dictionary + size) return false
    const exact = this.#number(start + dictionary, size) + (size === 2 ? 256 : 0)
    const base = 2 ** (10 + (window >> 3))
    if ((isSingle ? exact : base + (base / 8) * (window & 7)) > LARGEST_WINDOW)
      this.#refuse(`has a window of more than ${LARGEST_WINDOW} bytes`)
    this.#hasChecksum = (descriptor & 4) !== 0
    this.#isFrame = false
    return true
  }

  #block(): boolean {
    if (this.#head.length < 3) return false
    const head = this.#number(0, 3)
    const [kind, size] = [(head >> 1) & 3, head >> 3]
    const grown = kind === 2 ? BLOCK : size
    this.#left = kind === 1 ? 1 : size
    this.#since += grown
    this.#total += grown
    if (this.#total > this.#options.limit) this.#refuse(`is more than ${this.#options.limit} bytes when it is unpacked`)
    this.#isFrame = (head & 1) === 1
    if (this.#isFrame && this.#hasChecksum) this.#left += 4
    return true
  }

  #number(from: number, length: number): number {
    return this.#head.slice(from, from + length).reduceRight((high, byte) => high * 256 + byte, 0)
  }

  #refuse(found: string): never {
    const { key } = this.#options
    const message = `${key} ${found}, which is the limit.`
    throw new TreelogError("InvalidSessionError", message, { key, found, isDamaged: true })
  }
}
