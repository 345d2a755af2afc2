import type { StoredRanges } from "@treelog/session-core/adapter"
import { digestOf, sha256 } from "./digest.js"

/** Some bytes. */
export interface Piece {
  readonly size: number
  /** SHA-256 in hexadecimal. */
  readonly digest: string
}

/** A part of a session: a file, or the beginning of one. */
export interface Segment extends Piece {
  /** What the file has, where that is more. */
  readonly file?: Piece
}

/** The beginning of a session that was stored before. */
export interface Beginning {
  readonly size: number
  readonly segments: readonly Segment[]
}

/** The files of a session. */
export interface SessionFiles {
  readonly segments: readonly Segment[]
  /** The digest of the state of its conversion. */
  readonly state?: string | undefined
}

/**
 * The beginning of a session up to a place, which lies in its last segment or before it.
 * @param cut what the last segment has before that place
 */
export function beginningOf(segments: readonly Segment[], size: number, cut: Piece | undefined): Beginning | undefined {
  const [last, before] = [segments.at(-1), segments.slice(0, -1)]
  if (last && cut) {
    const { file = { size: last.size, digest: last.digest } } = last
    before.push(cut.size < file.size ? { ...cut, file } : cut)
  }
  return sizeOf(before) === size ? { size, segments: before } : undefined
}

export function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0)
}

/** The digest of a session. */
export function digestOfAll(segments: readonly Segment[]): string {
  const [first] = segments
  return segments.length === 1 && first
    ? first.digest
    : digestOf(...segments.map(({ size, digest }) => `${size} ${digest}`))
}

/**
 * Takes the last segments that are short beside what follows: they are written again, so that a session has few, each longer than all behind it.
 * @param size of what follows, about
 */
export function takeShort(segments: Segment[], size: number): Segment[] {
  const short: Segment[] = []
  let behind = size
  for (let last = segments.at(-1); last && last.size <= 2 * behind; last = segments.at(-1)) {
    behind += last.size
    short.unshift(last)
    segments.pop()
  }
  return short
}

/** Bytes that are read at once. */
const BLOCK = 256 * 1024

/** Each is valid until the next one is asked for. */
export function* chunksOfRanges(ranges: Pick<StoredRanges, "read">, from: number, to: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(BLOCK, to - from))
  for (let at = from; at < to; at += BLOCK) yield ranges.read(at, Math.min(BLOCK, to - at), buffer)
}

/** Compares the beginning of bytes with pieces that are known by their digests. */
export class Comparison {
  readonly #pieces: Piece[]
  #hash = sha256()
  #rest: number
  #differs = false

  constructor(pieces: readonly Piece[]) {
    this.#pieces = [...pieces]
    this.#rest = this.#pieces[0]?.size ?? 0
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#pieces.length > 0 && !this.#differs; ) {
      const part = chunk.subarray(at, at + this.#rest)
      this.#hash.update(part)
      this.#rest -= part.length
      at += part.length
      if (this.#rest === 0) this.#compare()
    }
  }

  /** Whether all pieces were there. */
  get isEqual(): boolean {
    while (this.#rest === 0 && this.#pieces.length > 0 && !this.#differs) this.#compare()
    return this.#pieces.length === 0 && !this.#differs
  }

  #compare(): void {
    const piece = this.#pieces.shift()
    if (this.#hash.digest("hex") !== piece?.digest) this.#differs = true
    this.#hash = sha256()
    this.#rest = this.#pieces[0]?.size ?? 0
  }
}
