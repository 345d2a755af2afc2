/** Enough for a long turn with large tool results; more is synced before it is added to. */
const FULL_BYTES = 16 * 1024 * 1024

interface Piece {
  readonly offset: number
  readonly bytes: Uint8Array
  /** A sync of it has begun: until it has succeeded, the system may have forgotten the bytes. */
  isSuspect: boolean
}

/**
 * What was appended since the last good sync, with its place, so that it can be written again. Two syncs may be under way at once, one
 * with promises and one without; each settles the pieces that were there when it began, and no others.
 */
export class UnsyncedBytes {
  #pieces: Piece[] = []
  #size = 0

  get pieces(): Iterable<Piece> {
    return this.#pieces
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get isFull(): boolean {
    return this.#size >= FULL_BYTES
  }

  get isSuspect(): boolean {
    for (const { isSuspect } of this.#pieces) if (isSuspect) return true
    return false
  }

  /** @param bytes are not changed any more */
  add(offset: number, bytes: Uint8Array): void {
    this.#pieces.push({ offset, bytes, isSuspect: false })
    this.#size += bytes.length
  }

  /** A sync begins. Returns what it is for. */
  begin(): readonly Piece[] {
    const pieces = [...this.#pieces]
    for (const piece of pieces) piece.isSuspect = true
    return pieces
  }

  /** The sync of these has succeeded. */
  end(pieces: readonly Piece[]): void {
    const synced = new Set(pieces)
    this.#pieces = this.#pieces.filter((piece) => !synced.has(piece))
    this.#size = this.#pieces.reduce((size, { bytes }) => size + bytes.length, 0)
  }

  clear(): void {
    if (this.isEmpty) return
    this.#pieces = []
    this.#size = 0
  }
}
