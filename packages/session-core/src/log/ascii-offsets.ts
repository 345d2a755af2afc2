/**
 * Where the ASCII characters of a line's text stand in its bytes. Each of them is one byte, and none is lost or added where
 * bytes that are no UTF-8 were read as U+FFFD; so the third `{` of the text is the third of the bytes.
 */
export class AsciiOffsets {
  readonly #text: string
  readonly #bytes: Uint8Array
  readonly #last = new Map<string, { index: number; offset: number }>()

  constructor(text: string, bytes: Uint8Array) {
    this.#text = text
    this.#bytes = bytes
  }

  /** @param index of an ASCII character; for the same character not before the one that was asked for last */
  of(index: number): number {
    const character = this.#text.charAt(index)
    const code = character.charCodeAt(0)
    let { index: seen, offset } = this.#last.get(character) ?? { index: -1, offset: -1 }
    while (seen < index) {
      seen = this.#text.indexOf(character, seen + 1)
      offset = this.#bytes.indexOf(code, offset + 1)
    }
    this.#last.set(character, { index: seen, offset })
    return offset
  }
}
