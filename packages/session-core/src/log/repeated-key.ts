import { startsWithAt } from "./ascii-bytes.js"
import { encodeText } from "./format-line.js"

// Of several members of an object with the same key, the last counts, as JSON.parse has it (FORMAT.md, section 2). Readers that take
// the head of an entry from the ends of its line ask here whether the rest may hold one of its keys again; if so, they parse it.

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Keys, to be found among the members of objects in a line that is not parsed. */
export class KeySet {
  readonly #keys: readonly Uint8Array[]
  /** By byte: whether a key ends with it, written plainly or as an escape like `\u0064`. */
  readonly #isEnd = new Uint8Array(256)

  constructor(...keys: readonly string[]) {
    this.#keys = keys.map(encodeText)
    for (const key of this.#keys) {
      const last = key[key.length - 1] as number
      this.#isEnd[last] = 1
      for (const digit of last.toString(16).slice(-1).toUpperCase()) {
        this.#isEnd[digit.charCodeAt(0)] = 1
        this.#isEnd[digit.toLowerCase().charCodeAt(0)] = 1
      }
    }
  }

  /**
   * Where the string ends that is one of the keys and may repeat an earlier one: the index of its closing quote, -1 where there is
   * none. The first key of an object within the line repeats nothing.
   */
  indexIn(bytes: Uint8Array, from: number, to: number): number {
    const isEnd = this.#isEnd
    for (let at = from + 1; at < to; at++) {
      if (bytes[at] !== QUOTE || isEnd[bytes[at - 1] as number] === 0) continue
      const opening = this.openingOf(bytes, at)
      if (opening >= from && !isFirstInObject(bytes, opening)) return at
    }
    return -1
  }

  /** The index of the quote that opens the string whose closing quote is at `closing`, if it is one of the keys; -1 if not. */
  openingOf(bytes: Uint8Array, closing: number): number {
    for (const key of this.#keys) {
      const opening = openingOf(bytes, closing, key)
      if (opening !== -1) return opening
    }
    return -1
  }
}

/** The key in front of the closing quote, each letter written plainly or as an escape. */
function openingOf(bytes: Uint8Array, closing: number, key: Uint8Array): number {
  let at = closing - 1
  for (let index = key.length - 1; index >= 0; index--) {
    const letter = key[index] as number
    if (bytes[at] === letter) at -= 1
    else if (isEscapeOf(bytes, at - 5, letter)) at -= 6
    else return -1
  }
  return bytes[at] === QUOTE ? at : -1
}

/** Whether `\u00` and the two digits of the letter stand at `at`. */
function isEscapeOf(bytes: Uint8Array, at: number, letter: number): boolean {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75) return false
  let code = 0
  for (let index = at + 2; index < at + 6; index++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[index] as number), 16)
    if (Number.isNaN(digit)) return false
    code = code * 16 + digit
  }
  return code === letter
}

function isFirstInObject(bytes: Uint8Array, opening: number): boolean {
  if (bytes[opening - 1] !== OPEN_BRACE) return false
  const before = bytes[opening - 2]
  return before === COLON || before === COMMA || before === OPEN_BRACKET
}

/**
 * Where, in a range that begins in a value which `closer` ends, a further member of its object can begin at the earliest: at such a
 * byte that is followed by a comma and a string. `to` where there is none. Most values are passed at the speed of one search.
 * @param closer stands at `to` or behind it
 */
export function nextMember(bytes: Uint8Array, from: number, to: number, closer: number): number {
  for (let at = bytes.indexOf(closer, from); at !== -1 && at < to; at = bytes.indexOf(closer, at + 1)) {
    const comma = behindSpace(bytes, at + 1)
    if (bytes[comma] === COMMA && bytes[behindSpace(bytes, comma + 1)] === QUOTE) return at + 1
  }
  return to
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at += 1
  return at
}

const HEAD_KEYS = /* @__PURE__ */ new KeySet("type", "id", "parentId", "timestamp")
const MESSAGE = /* @__PURE__ */ encodeText(',"message":{')

/**
 * Whether the head of an entry has to be parsed: a key of it may stand in the line again. The range holds the other members of the
 * entry, without those of the head, and a brace stands at `to` or behind it; of a line that is not JSON the answer may be wrong.
 */
export function mayRepeatHead(bytes: Uint8Array, from: number, to: number): boolean {
  const first = startsWithAt(bytes, from, MESSAGE) ? nextMember(bytes, from + MESSAGE.length, to, CLOSE_BRACE) : from
  for (let at = HEAD_KEYS.indexIn(bytes, first, to); at !== -1; at = HEAD_KEYS.indexIn(bytes, at, to))
    if (!endsInnerObject(bytes, at, to)) return isAtTop(bytes, from, to)
  return false
}

/** Whether the member whose key ends at `at` is the last of the range, in an object that ends there: the time of most messages. */
function endsInnerObject(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[to - 1] !== CLOSE_BRACE || bytes[at + 1] !== COLON || to - at > 24) return false
  for (let index = at + 2; index < to - 1; index++)
    if ((bytes[index] as number) < 0x30 || (bytes[index] as number) > 0x39) return false
  return true
}

/** By byte: what may stand between strings without changing the depth. */
const BETWEEN = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) =>
  "\t\r ,:+-.0123456789Eaeflnrstu".includes(String.fromCharCode(byte)) ? 1 : 0,
)

/** Whether a string at the level of the members is a key of a head, or this is not certain. */
function isAtTop(bytes: Uint8Array, from: number, to: number): boolean {
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1, to)
      if (at === to || (depth === 0 && HEAD_KEYS.openingOf(bytes, at) !== -1)) return true
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
    else if (byte === CLOSE_BRACE || byte === 0x5d) {
      depth -= 1
      if (depth < 0) return true
    } else if (BETWEEN[byte] === 0) return true
  }
  return depth !== 0
}

/** `to` where the string does not end. */
function closingQuote(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, to)
}
