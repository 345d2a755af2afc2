import type { SqliteValue } from "@treelog-internal/sqlite"
import { hashOf } from "./token-hash.js"

// Which words stand beside each other in a text, so that a search for a phrase reads few texts that have its words apart: a Bloom filter with
// two bits for each two neighbours. SQLite tests the bits itself.

/** Bytes of the longest filter. A shorter one is what a longer one is folded to. */
const LONGEST = 4096
const LONGEST_BITS = 12
const BITS = 8
/** A filter is folded to so many bits for each bit that was set: about a quarter are set then, so that one of 12 pairs fits by chance. */
const BITS_PER_SET = 3
/** The filter of a text with more of them would fit most phrases. */
const MOST = Math.floor((BITS * LONGEST) / BITS_PER_SET)
/** Of a text whose neighbours are not known. It fits all phrases. */
const UNKNOWN = new Uint8Array(0)

const HAS_BIT = "instr(?, substr(filter, 1 + ? % length(filter), 1))"
/** SQL that holds for the filters of texts in which two words may stand beside each other. Its values: `neighbourValues`. */
export const HAS_NEIGHBOURS = `ifnull(${HAS_BIT} AND ${HAS_BIT}, 1)`

/** @returns for each of the two bits of a word that stands before another one: all bytes that have it, and its place */
export function neighbourValues(word: string, next: string): SqliteValue[] {
  const mixed = mixedHash(hashOf(word), hashOf(next))
  return [firstBit(mixed), secondBit(mixed)].flatMap((bit) => {
    const mask = 1 << Math.floor(bit / LONGEST)
    const bytes = Array.from({ length: 1 << BITS }, (_, byte) => byte).filter((byte) => byte & mask)
    return [Uint8Array.from(bytes), bit % LONGEST]
  })
}

function mixedHash(word: number, next: number): number {
  const mixed = Math.imul(word ^ (next << 7) ^ (next >>> 25), 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}

function firstBit(mixed: number): number {
  return mixed & (BITS * LONGEST - 1)
}

function secondBit(mixed: number): number {
  return (mixed >>> 16) & (BITS * LONGEST - 1)
}

/** Collects the neighbours of a text, word by word. */
export class Neighbours {
  /** The longest filter of the text. */
  readonly #longest = new Uint8Array(LONGEST)
  readonly #bits = new Uint16Array(MOST)
  readonly #filter = new Uint8Array(LONGEST)
  #count = 0
  #isFirst = true
  #last = 0

  /** @param hash of the next word */
  add(hash: number): void {
    const mixed = mixedHash(this.#last, hash)
    this.#last = hash
    if (this.#isFirst) this.#isFirst = false
    else {
      this.#set(firstBit(mixed))
      this.#set(secondBit(mixed))
    }
  }

  #set(bit: number): void {
    const place = bit & (LONGEST - 1)
    const mask = 1 << (bit >>> LONGEST_BITS)
    const byte = this.#longest[place] as number
    if ((byte & mask) !== 0 || this.#count > MOST) return
    this.#longest[place] = byte | mask
    this.#bits[this.#count] = bit
    this.#count += 1
  }

  /** The filter of the text, which ends here: until the next one is taken. Undefined if no two words stand in it. */
  take(): Uint8Array | undefined {
    const count = this.#count
    this.#count = 0
    this.#isFirst = true
    if (count === 0) return undefined
    if (count > MOST) {
      this.#longest.fill(0)
      return UNKNOWN
    }
    const length = Math.ceil((count * BITS_PER_SET) / BITS)
    const filter = this.#filter.fill(0, 0, length)
    for (let at = 0; at < count; at++) {
      const bit = this.#bits[at] as number
      const place = bit & (LONGEST - 1)
      this.#longest[place] = 0
      filter[place % length] = (filter[place % length] as number) | (1 << (bit >>> LONGEST_BITS))
    }
    return filter.subarray(0, length)
  }
}
