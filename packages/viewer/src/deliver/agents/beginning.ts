/** The first bytes of something that may grow: how many there are, and their hash. As text: `SIZE-HASH`. */
export interface Beginning {
  readonly size: number
  readonly hash: string
}

export function beginningText({ size, hash }: Beginning): string {
  return `${size}-${hash}`
}

/** Undefined for a text that is none. */
export function beginningIn(text: string): Beginning | undefined {
  const [, size, hash] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(text) ?? []
  return size === undefined || hash === undefined ? undefined : { size: Number(size), hash }
}

/** Hashes bytes as they are read, and compares the first of them with a beginning. It detects other bytes, not attacks. */
export class BeginningReader {
  readonly #expected: Beginning
  #low = 0x811c9dc5
  #high = 0x1b873593
  size = 0
  /** Whether the bytes begin as expected; undefined until there are enough of them. */
  isExpected: boolean | undefined

  constructor(expected: Beginning) {
    this.#expected = expected
  }

  update(bytes: Uint8Array): void {
    const rest = this.isExpected === undefined ? this.#expected.size - this.size : 0
    this.#add(bytes.subarray(0, rest))
    if (this.size === this.#expected.size) this.isExpected ??= this.#hash === this.#expected.hash
    this.#add(bytes.subarray(rest))
  }

  get read(): Beginning {
    return { size: this.size, hash: this.#hash }
  }

  /** FNV-1a, twice, so that a chance match is unlikely. */
  #add(bytes: Uint8Array): void {
    let [low, high] = [this.#low, this.#high]
    for (const byte of bytes) {
      low = Math.imul(low ^ byte, 0x01000193)
      high = Math.imul(((high << 13) | (high >>> 19)) ^ byte, 0x85ebca6b)
    }
    this.#low = low
    this.#high = high
    this.size += bytes.length
  }

  get #hash(): string {
    return [this.#low, this.#high].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("")
  }
}
