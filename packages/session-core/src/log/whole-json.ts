// Why this and not JSON.parse: a migration looks at every line, and wants nothing of nearly all of them but that they are whole.
// Decoding and parsing take many times as long as looking at the bytes once, and leave as much behind to be collected.

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Deeper ones are left to the parser. */
const DEEPEST = 256

/** Up to where in memory words can be counted in 32 bits. Bytes. */
const FARTHEST = 0x7fffffff

/** What is told of the keys of an object and of the objects in it. False: no more need be known of the line. */
export interface KeyWatcher {
  /**
   * @param depth 1 for the outermost object, 2 for the values of its members
   * @param from and to: the key's text, without quotes
   */
  key(bytes: Uint8Array, depth: number, from: number, to: number): boolean
}

/** Looks through JSON text without making anything of it. */
export class WholeJson {
  readonly #isObject = new Uint8Array(DEEPEST + 1)
  readonly #watcher: KeyWatcher
  #words: Int32Array = new Int32Array()

  constructor(watcher: KeyWatcher) {
    this.#watcher = watcher
  }

  /**
   * Whether the bytes in `[from, to)` are an object in the JSON text of `JSON.stringify`, which has no spaces, and in valid UTF-8.
   * What it takes is taken by a strict decoder and `JSON.parse`; some of what it refuses is, too.
   */
  isObject(bytes: Uint8Array, from: number, to: number): boolean {
    if (bytes[from] !== OPEN_BRACE || bytes.byteOffset + to > FARTHEST) return false
    this.#words = wordsOf(bytes, this.#words)
    const words = this.#words
    const isObject = this.#isObject
    let depth = 0
    let at = from
    for (;;) {
      // Here a value begins.
      const first = bytes[at] as number
      if (first === QUOTE) at = stringEnd(bytes, words, at + 1, to)
      else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        if (depth === DEEPEST) return false
        depth += 1
        isObject[depth] = first === OPEN_BRACE ? 1 : 0
        at += 1
        if (bytes[at] !== (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
          if (first === OPEN_BRACE) at = this.#keyEnd(bytes, depth, at, to)
          if (at === -1) return false
          continue
        }
      } else at = wordEnd(bytes, at, to)
      if (at === -1) return false
      // Here one ended, or an empty object or array is to be closed.
      while (bytes[at] === (isObject[depth] === 1 ? CLOSE_BRACE : CLOSE_BRACKET)) {
        depth -= 1
        at += 1
        if (depth === 0) return at === to
      }
      if (bytes[at] !== COMMA) return false
      at += 1
      if (isObject[depth] === 1) at = this.#keyEnd(bytes, depth, at, to)
      if (at === -1 || at >= to) return false
    }
  }

  /** Behind the colon of a key. */
  #keyEnd(bytes: Uint8Array, depth: number, at: number, to: number): number {
    if (bytes[at] !== QUOTE) return -1
    const end = stringEnd(bytes, this.#words, at + 1, to)
    if (end === -1 || bytes[end] !== COLON) return -1
    if (depth <= 2 && !this.#watcher.key(bytes, depth, at + 1, end - 1)) return -1
    return end + 1
  }
}

/** The memory that the bytes are in, four at a time. It is the same one for line after line. */
function wordsOf({ buffer }: Uint8Array, before: Int32Array): Int32Array {
  return before.buffer === buffer ? before : new Int32Array(buffer, 0, buffer.byteLength >> 2)
}

/** Behind the quote that closes the string; -1 where it is none. */
function stringEnd(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  const { byteOffset } = bytes
  const lastWord = (byteOffset + to) >> 2
  let at = from
  for (;;) {
    // Byte by byte to where four of them are a word, word by word as long as all are plain, and byte by byte to the one that is not.
    while (((byteOffset + at) & 3) !== 0 && isPlain(bytes[at] as number)) at += 1
    if (((byteOffset + at) & 3) === 0) {
      let word = (byteOffset + at) >> 2
      while (word < lastWord && arePlain(words[word] as number)) word += 1
      at = word * 4 - byteOffset
      while (at < to && isPlain(bytes[at] as number)) at += 1
    }
    if (at >= to) return -1
    const byte = bytes[at] as number
    if (byte === QUOTE) return at + 1
    at = byte === BACKSLASH ? escapeEnd(bytes, at + 1) : sequenceEnd(bytes, at)
    if (at === -1) return -1
  }
}

/** Of no meaning in a string, and a character by itself. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH
}

/**
 * The same of four bytes at once. The highest bit of a byte is set where it is no ASCII, or by taking away from it what it would
 * have to be: 0x20 where it is less, and 1 where what is left of it without a quote's (or a backslash's) bits is 0.
 */
function arePlain(four: number): boolean {
  const special = four | (four - 0x20202020) | ((four ^ 0x22222222) - 0x01010101) | ((four ^ 0x5c5c5c5c) - 0x01010101)
  return (special & 0x80808080) === 0
}

const ESCAPED = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  return '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0
})
const HEX = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  return /[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0
})
const UNICODE = 0x75

function escapeEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number
  if (ESCAPED[byte] === 1) return at + 1
  if (byte !== UNICODE) return -1
  for (let digit = at + 1; digit <= at + 4; digit++) if (HEX[bytes[digit] as number] !== 1) return -1
  return at + 5
}

/** Behind a character of more than one byte (RFC 3629, section 4). */
function sequenceEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  const second = bytes[at + 1] as number
  if (first < 0xc2 || first > 0xf4) return -1
  if (first < 0xe0) return isTail(second) ? at + 2 : -1
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (!(second >= low && second <= high) || !isTail(bytes[at + 2] as number)) return -1
  if (first < 0xf0) return at + 3
  return isTail(bytes[at + 3] as number) ? at + 4 : -1
}

function isTail(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf
}

const WORDS = /* @__PURE__ */ ["true", "false", "null"].map((word) =>
  Uint8Array.from(word, (char) => char.charCodeAt(0)),
)

/** Behind a number, true, false or null. */
function wordEnd(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from] as number
  if (first === MINUS || isDigit(first)) return numberEnd(bytes, from, to)
  for (const word of WORDS) {
    if (word[0] !== first) continue
    for (let index = 1; index < word.length; index++) if (bytes[from + index] !== word[index]) return -1
    return from + word.length
  }
  return -1
}

const POINT = 0x2e
const EXPONENT = 0x65
const PLUS = 0x2b

function numberEnd(bytes: Uint8Array, from: number, to: number): number {
  const whole = bytes[from] === MINUS ? from + 1 : from
  let at = digitsEnd(bytes, whole, to)
  if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return -1
  if (bytes[at] === POINT) {
    const fraction = at + 1
    at = digitsEnd(bytes, fraction, to)
    if (at === fraction) return -1
  }
  if (((bytes[at] as number) | 0x20) !== EXPONENT) return at
  const sign = bytes[at + 1]
  const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1
  at = digitsEnd(bytes, exponent, to)
  return at === exponent ? -1 : at
}

function digitsEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isDigit(bytes[at] as number)) at += 1
  return at
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
