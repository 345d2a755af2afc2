import { TextTable } from "./text-table.js"

const FIRST_CAPACITY = 64
/** A uuid has four words of 32 bits. */
const WORDS = 4
const LENGTH = 36
const DASH = 0x2d

/** By code: the value of a hexadecimal digit as uuids are written, -1 of any other character. */
const DIGITS = /* @__PURE__ */ digitValues()
/** The digits of each byte, as codes. */
const CODES = /* @__PURE__ */ Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0))

/**
 * Numbers for ids, the same for the same id, so that records need not hold strings: a uuid takes 16 bytes and no object of the heap.
 * Uuids have numbers above 0, other ids numbers below it; 0 is none.
 */
export class IdTable {
  /** By uuid. */
  #words = new Uint32Array(FIRST_CAPACITY * WORDS)
  #count = 0
  /** Numbers of uuids by hash, in the first free place from there on; at most half of the places are taken. */
  #slots = new Int32Array(FIRST_CAPACITY * 2)
  readonly #texts = new TextTable()
  readonly #read = new Uint32Array(WORDS)

  /** The number of an id, a new one where it has none yet. */
  numberOf(id: string | undefined): number {
    if (id === undefined) return 0
    return readUuid(id, this.#read) ? this.#numberOfUuid() : -1 - this.#texts.numberOf(id)
  }

  /** The id with this number; undefined for 0. */
  textOf(number: number): string | undefined {
    if (number <= 0) return number === 0 ? undefined : this.#texts.textOf(-1 - number)
    return uuidText(this.#words, (number - 1) * WORDS)
  }

  /** Of the words that were read. */
  #numberOfUuid(): number {
    const slot = this.#slotOf(this.#read, 0)
    const known = this.#slots[slot] ?? 0
    if (known !== 0) return known
    this.#count += 1
    this.#words.set(this.#read, (this.#count - 1) * WORDS)
    this.#slots[slot] = this.#count
    if (this.#count * WORDS === this.#words.length) this.#grow()
    return this.#count
  }

  /** The place of the uuid whose words begin at `from`, or the free one where it belongs. */
  #slotOf(words: Uint32Array, from: number): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(words, from) & mask
    for (let number = this.#slots[slot] ?? 0; number !== 0; number = this.#slots[slot] ?? 0) {
      if (isSame(this.#words, (number - 1) * WORDS, words, from)) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2)
    words.set(this.#words)
    this.#words = words
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 1; number <= this.#count; number++)
      this.#slots[this.#slotOf(words, (number - 1) * WORDS)] = number
  }
}

function digitValues(): Int8Array {
  const values = new Int8Array(128).fill(-1)
  for (let value = 0; value < 16; value++) values[value.toString(16).charCodeAt(0)] = value
  return values
}

function isDash(at: number): boolean {
  return at === 8 || at === 13 || at === 18 || at === 23
}

/** Whether a text is a uuid in the usual form, which its words give again. */
function readUuid(text: string, into: Uint32Array): boolean {
  if (text.length !== LENGTH || text.charCodeAt(8) !== DASH || text.charCodeAt(13) !== DASH) return false
  if (text.charCodeAt(18) !== DASH || text.charCodeAt(23) !== DASH) return false
  // A character that is no digit makes what it is part of negative.
  const first = fourDigits(text, 0)
  const second = fourDigits(text, 4)
  const third = fourDigits(text, 9)
  const fourth = fourDigits(text, 14)
  const fifth = fourDigits(text, 19)
  const sixth = fourDigits(text, 24)
  const seventh = fourDigits(text, 28)
  const eighth = fourDigits(text, 32)
  if ((first | second | third | fourth | fifth | sixth | seventh | eighth) < 0) return false
  into[0] = (first << 16) | second
  into[1] = (third << 16) | fourth
  into[2] = (fifth << 16) | sixth
  into[3] = (seventh << 16) | eighth
  return true
}

/** The number of four hexadecimal digits; a negative one where they are something else. */
function fourDigits(text: string, at: number): number {
  return (digitAt(text, at) << 12) | (digitAt(text, at + 1) << 8) | (digitAt(text, at + 2) << 4) | digitAt(text, at + 3)
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? (DIGITS[code] as number) : -1
}

const text = /* @__PURE__ */ new Array<number>(LENGTH).fill(DASH)

function uuidText(words: Uint32Array, from: number): string {
  let digits = 0
  for (let at = 0; at < LENGTH; at++) {
    if (isDash(at)) continue
    const word = words[from + (digits >> 3)] ?? 0
    text[at] = CODES[(word >>> (28 - 4 * (digits & 7))) & 15] ?? 0
    digits += 1
  }
  return String.fromCharCode(...text)
}

function hashOf(words: Uint32Array, from: number): number {
  let hash = 0
  for (let at = from; at < from + WORDS; at++) {
    hash = Math.imul(hash ^ (words[at] ?? 0), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}

function isSame(a: Uint32Array, fromA: number, b: Uint32Array, fromB: number): boolean {
  for (let at = 0; at < WORDS; at++) if (a[fromA + at] !== b[fromB + at]) return false
  return true
}
