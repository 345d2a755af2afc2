/** The last bytes of a mirror, which are in no file yet. */
export class MemoryTail {
  #pieces: Uint8Array[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get pieces(): readonly Uint8Array[] {
    return [...this.#pieces]
  }

  /** @param bytes are kept as they are */
  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.#size += bytes.length
  }

  /** Removes the first pieces. */
  remove(count: number): void {
    for (const piece of this.#pieces.splice(0, count)) this.#size -= piece.length
  }

  /** Copies what it has of the bytes from `offset` on; a negative offset is before its first byte. */
  readInto(into: Uint8Array, offset: number): void {
    let at = 0
    for (const piece of this.#pieces) {
      const [start, end] = [Math.max(offset, at), Math.min(offset + into.length, at + piece.length)]
      if (start < end) into.set(piece.subarray(start - at, end - at), start - offset)
      at += piece.length
    }
  }
}
