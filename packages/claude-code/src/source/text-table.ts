import { NumberList } from "./number-list.js"

const FIRST_CAPACITY = 64
/** What follows it is a code of two bytes. Smaller codes are one byte. */
const LARGE = 0xff
/** The most bytes of a code. */
const LARGEST = 3
/** So many codes are passed to one call at most. */
const AT_A_TIME = 4096

/** Numbers from 0 for texts, the same for the same text. They are bytes of one array: strings and a Map take several times the memory. */
export class TextTable {
  /** The texts, one behind the other. */
  #bytes = new Uint8Array(FIRST_CAPACITY)
  /** Where each text ends; where the first begins is in front. */
  readonly #ends = new NumberList(Float64Array)
  /** Numbers from 1 by hash, in the first free place from there on; at most half of the places are taken. */
  #slots = new Int32Array(FIRST_CAPACITY)

  constructor() {
    this.#ends.push(0)
  }

  /** A new one where the text has none yet. */
  numberOf(text: string): number {
    // Behind the others, where it stays if it is new.
    const start = this.#ends.at(this.#count)
    const end = this.#write(text, start)
    const slot = this.#slotOf(start, end)
    const known = this.#slots[slot] ?? 0
    if (known !== 0) return known - 1
    this.#ends.push(end)
    this.#slots[slot] = this.#count
    if (this.#count * 2 > this.#slots.length) this.#growSlots()
    return this.#count - 1
  }

  textOf(number: number): string {
    const codes: number[] = []
    const end = this.#ends.at(number + 1)
    for (let at = this.#ends.at(number); at < end; at++) {
      const code = this.#bytes[at] ?? 0
      codes.push(code === LARGE ? ((this.#bytes[++at] ?? 0) << 8) | (this.#bytes[++at] ?? 0) : code)
    }
    let text = ""
    for (let at = 0; at < codes.length; at += AT_A_TIME) text += String.fromCharCode(...codes.slice(at, at + AT_A_TIME))
    return text
  }

  get #count(): number {
    return this.#ends.length - 1
  }

  /** @returns where it ends */
  #write(text: string, start: number): number {
    const needed = start + text.length * LARGEST
    if (needed > this.#bytes.length) this.#growBytes(needed)
    const bytes = this.#bytes
    let end = start
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= LARGE) {
        bytes[end++] = LARGE
        bytes[end++] = code >> 8
      }
      bytes[end++] = code
    }
    return end
  }

  /** The place of the text that stands there, or the free one where it belongs. */
  #slotOf(start: number, end: number): number {
    const mask = this.#slots.length - 1
    let slot = this.#hashOf(start, end) & mask
    for (let number = this.#slots[slot] ?? 0; number !== 0; number = this.#slots[slot] ?? 0) {
      if (this.#isSame(number - 1, start, end)) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #hashOf(start: number, end: number): number {
    let hash = 0
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), 0x01000193)
    return hash ^ (hash >>> 15)
  }

  #isSame(number: number, start: number, end: number): boolean {
    const from = this.#ends.at(number)
    const length = end - start
    if (this.#ends.at(number + 1) - from !== length) return false
    for (let at = 0; at < length; at++) if (this.#bytes[from + at] !== this.#bytes[start + at]) return false
    return true
  }

  #growBytes(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 1; number <= this.#count; number++)
      this.#slots[this.#slotOf(this.#ends.at(number - 1), this.#ends.at(number))] = number
  }
}
