const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b

/** A key or a value that is longer is not looked at. Bytes. */
const LONGEST = 128

/**
 * The members at the end of a JSON object, the last one first, as far as they are `"key":value` with a number, a word or a
 * short string without escapes, and without spaces. In valid JSON what it finds is there: an unescaped quote is structure.
 * Of a key that stands there twice the one that counts, the last, comes first.
 */
export class BackwardMembers {
  readonly #bytes: Uint8Array
  /** Behind the last byte that was not looked at. */
  #end: number
  keyFrom = 0
  keyTo = 0
  valueFrom = 0
  valueTo = 0

  /** @param end the index of the brace that closes the object */
  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes
    this.#end = end
  }

  /** The index of the byte before what was read: the end of a value that could not be. */
  get before(): number {
    return this.#end - 1
  }

  /** Goes to the member before. False at the beginning of the object, and where what is there is another kind of value. */
  previous(): boolean {
    const bytes = this.#bytes
    const valueFrom = this.#valueStart(this.#end)
    if (valueFrom === -1 || bytes[valueFrom - 1] !== COLON || bytes[valueFrom - 2] !== QUOTE) return false
    const keyFrom = this.#openingQuote(valueFrom - 2)
    if (keyFrom === -1) return false
    const separator = bytes[keyFrom - 1]
    if (separator !== COMMA && separator !== OPEN_BRACE) return false
    this.keyFrom = keyFrom + 1
    this.keyTo = valueFrom - 2
    this.valueFrom = valueFrom
    this.valueTo = this.#end
    this.#end = separator === COMMA ? keyFrom - 1 : keyFrom
    return true
  }

  #valueStart(end: number): number {
    const bytes = this.#bytes
    if (bytes[end - 1] === QUOTE) return this.#openingQuote(end - 1)
    let at = end
    while (at > 0 && end - at < LONGEST && isOfWord(bytes[at - 1] as number)) at -= 1
    return at < end ? at : -1
  }

  /** Of the string whose closing quote stands at `closing`; -1 where it is long or has escapes. */
  #openingQuote(closing: number): number {
    const bytes = this.#bytes
    for (let at = closing - 1; at > 0 && closing - at <= LONGEST; at--) {
      if (bytes[at] === BACKSLASH) return -1
      if (bytes[at] === QUOTE) return bytes[at - 1] === BACKSLASH ? -1 : at
    }
    return -1
  }
}

/** Digits, letters, and the signs of numbers: what numbers, true, false and null are made of. */
function isOfWord(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2d || byte === 0x2e
}
