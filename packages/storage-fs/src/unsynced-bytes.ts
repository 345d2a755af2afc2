// Enough for a long turn with large tool results; more is synced before it is added to.
const FULL_BYTES = 16 * 1024 * 1024

/** What was appended since the last good sync, with its place, so that it can be written again. */
export class UnsyncedBytes {
  readonly pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  /** A sync has failed: the system may have forgotten the bytes. */
  isSuspect = false
  #size = 0

  get isEmpty(): boolean {
    return this.pieces.length === 0
  }

  get isFull(): boolean {
    return this.#size >= FULL_BYTES
  }

  add(offset: number, bytes: Uint8Array): void {
    this.pieces.push({ offset, bytes: bytes.slice() })
    this.#size += bytes.length
  }

  clear(): void {
    this.pieces.length = 0
    this.#size = 0
    this.isSuspect = false
  }
}
