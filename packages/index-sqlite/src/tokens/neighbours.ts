import { hashOf } from "./token-hash.js"

// Which words stand beside each other in what was said, so that a search for a phrase reads few texts that have its words apart. Each two
// neighbours are in one of some classes, of which a text has the tokens: positions would take more, and for calls and results both do.

const CLASSES = 4096
/** A text with more of them has only a mark: half of all phrases would be in its classes. */
const MOST = 2048
/** Of texts whose neighbours are not known. No word begins with a control character. */
export const UNKNOWN_NEIGHBOURS = "\u0080n"

const TOKENS: readonly string[] = /* @__PURE__ */ Array.from(
  { length: CLASSES },
  (_, at) => `${UNKNOWN_NEIGHBOURS}${at.toString(36)}`,
)

/** The token of texts in which a word stands before another one, or the neighbours of one of the same class. */
export function neighbourToken(word: string, next: string): string {
  return TOKENS[classOf(hashOf(word), hashOf(next))] ?? ""
}

function classOf(word: number, next: number): number {
  const mixed = Math.imul(word ^ (next << 7) ^ (next >>> 25), 0x9e3779b1)
  return (mixed ^ (mixed >>> 16)) & (CLASSES - 1)
}

/** Collects the classes of neighbours of a text, word by word. */
export class Neighbours {
  /** Of each class, the last text that had it. */
  readonly #texts = new Int32Array(CLASSES)
  readonly #classes = new Int32Array(MOST)
  #text = 0
  #areKept = false
  #count = 0
  #isFirst = true
  #last = 0

  /** Begins a text. @param areKept whether its neighbours are to be known */
  begin(areKept: boolean): void {
    this.#text += 1
    this.#areKept = areKept
    this.#count = 0
    this.#isFirst = true
  }

  /** @param hash of the next word */
  add(hash: number): void {
    if (!this.#areKept) return
    const found = classOf(this.#last, hash)
    this.#last = hash
    if (this.#isFirst) this.#isFirst = false
    else if (this.#texts[found] !== this.#text) {
      this.#texts[found] = this.#text
      if (this.#count < MOST) this.#classes[this.#count] = found
      this.#count += 1
    }
  }

  addWord(word: string): void {
    if (this.#areKept) this.add(hashOf(word))
  }

  /** The tokens of the text, each once. */
  tokens(): string[] {
    if (!this.#areKept || this.#count > MOST) return [UNKNOWN_NEIGHBOURS]
    const tokens: string[] = []
    for (let at = 0; at < this.#count; at++) tokens.push(TOKENS[this.#classes[at] as number] as string)
    return tokens
  }
}
