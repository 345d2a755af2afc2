/** An id as it is compared: a number for eight lower-case hexadecimal digits, which all known writers make; else the text. */
export type IdKey = number | string

const SHORT = 8

export function idKey(id: string): IdKey {
  if (id.length !== SHORT) return id
  let key = 0
  for (let at = 0; at < SHORT; at++) {
    const digit = digitOf(id.charCodeAt(at))
    if (digit === -1) return id
    key = (key << 4) | digit
  }
  return key
}

/** The value of a lower-case hexadecimal digit; -1 where the character is another one. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

/** Ids that were met, in four bytes each where they are numbers. */
export class IdKeys {
  readonly #texts = new Set<string>()
  /** A hash table with open addresses; 0 is a free place. */
  #numbers = new Int32Array(1 << 14)
  #count = 0
  #hasZero = false

  get isEmpty(): boolean {
    return this.#count === 0 && !this.#hasZero && this.#texts.size === 0
  }

  has(key: IdKey): boolean {
    if (typeof key === "string") return this.#texts.has(key)
    return key === 0 ? this.#hasZero : this.#numbers[this.#placeOf(key)] === key
  }

  /** False when it was met before. */
  add(key: IdKey): boolean {
    if (typeof key === "number" && key !== 0) return this.#addNumber(key)
    if (this.has(key)) return false
    if (typeof key === "string") this.#texts.add(key)
    else this.#hasZero = true
    return true
  }

  #addNumber(key: number): boolean {
    const place = this.#placeOf(key)
    if (this.#numbers[place] === key) return false
    this.#numbers[place] = key
    this.#count += 1
    if (this.#count * 2 > this.#numbers.length) this.#grow()
    return true
  }

  /** Where the number is, or would be put. */
  #placeOf(key: number): number {
    const numbers = this.#numbers
    const last = numbers.length - 1
    let place = (Math.imul(key, 0x9e3779b1) >>> 7) & last
    while (numbers[place] !== 0 && numbers[place] !== key) place = (place + 1) & last
    return place
  }

  #grow(): void {
    const before = this.#numbers
    this.#numbers = new Int32Array(before.length * 4)
    for (const key of before) if (key !== 0) this.#numbers[this.#placeOf(key)] = key
  }
}
