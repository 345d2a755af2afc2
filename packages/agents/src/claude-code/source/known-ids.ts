/** Bits for each id that a set is made for, and how many of them an id sets: one in a million ids seems to be there that is not. */
const BITS = 40
const HASHES = 10
/** How many more ids than at first fit. */
const SPARE = 2

/** A set of ids in bounded memory. It may seem to have one that it does not have. */
export class KnownIds {
  readonly #bits: Uint8Array
  readonly #capacity: number
  #count: number

  private constructor(bits: Uint8Array, capacity: number, count: number) {
    this.#bits = bits
    this.#capacity = capacity
    this.#count = count
  }

  static of(ids: readonly string[]): KnownIds {
    const capacity = Math.max(ids.length, 1024) * SPARE
    const known = new KnownIds(new Uint8Array(Math.ceil((capacity * BITS) / 8)), capacity, 0)
    known.add(ids)
    return known
  }

  static from({ bits, capacity, count }: KnownIdsJson): KnownIds {
    return new KnownIds(new Uint8Array(Buffer.from(bits, "base64")), capacity, count)
  }

  add(ids: readonly string[]): void {
    const [bits, size] = [this.#bits, this.#bits.length * 8]
    for (const id of ids) {
      const { start, step } = hashOf(id)
      for (let hash = 0; hash < HASHES; hash++) {
        const bit = (start + hash * step) % size
        bits[bit >>> 3] = (bits[bit >>> 3] as number) | (1 << (bit & 7))
      }
    }
    this.#count += ids.length
  }

  has(id: string): boolean {
    const [bits, size] = [this.#bits, this.#bits.length * 8]
    const { start, step } = hashOf(id)
    for (let hash = 0; hash < HASHES; hash++) {
      const bit = (start + hash * step) % size
      if (((bits[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false
    }
    return true
  }

  /** Whether it has more ids than it was made for, and would seem to have any. */
  get isFull(): boolean {
    return this.#count > this.#capacity
  }

  toJSON(): KnownIdsJson {
    return { bits: Buffer.from(this.#bits).toString("base64"), capacity: this.#capacity, count: this.#count }
  }
}

/** Where the bits of an id begin, and how far they are from each other: unsigned integers of 32 bits. */
function hashOf(id: string): { readonly start: number; readonly step: number } {
  let [a, b] = [0x811c9dc5, 0x9e3779b1]
  for (let at = 0; at < id.length; at++) {
    const unit = id.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b) ^ (b >>> 15)
  }
  return { start: mixed(a), step: (mixed(b) | 1) >>> 0 }
}

export interface KnownIdsJson {
  readonly bits: string
  readonly capacity: number
  readonly count: number
}

/** An unsigned integer of 32 bits, of which each bit depends on each. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}
