/** Ids, each by its hash: beside a million of them, one in billions seems to be there that is not. */
export class KnownIds {
  /** Of an earlier conversion, in order: to make a set of thousands would cost more than to search them. */
  readonly #earlier: Float64Array
  readonly #added = new Set<number>()

  /** @param saved by an earlier conversion */
  constructor(saved = "") {
    this.#earlier = new Float64Array(new Uint8Array(Buffer.from(saved, "base64")).buffer)
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#added.add(hashOf(id))
  }

  has(id: string): boolean {
    const hash = hashOf(id)
    let [from, to] = [0, this.#earlier.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#earlier[middle] as number) < hash) from = middle + 1
      else to = middle
    }
    return this.#earlier[from] === hash || this.#added.has(hash)
  }

  get saved(): string {
    const all = Float64Array.from([...this.#earlier, ...this.#added]).sort()
    return Buffer.from(all.buffer).toString("base64")
  }
}

/** An integer of 53 bits, of which each depends on the whole text. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0)
}
