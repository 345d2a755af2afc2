import type { Random } from "./random.js"
import { CODE_LINES, WIDE_WORDS, WORDS } from "./vocabulary.js"

const POOL_CHARS = 96 * 1024
const POOL_BYTES = 96 * 1024

/**
 * Texts of any length. They are cut from pools that are made once, so that a session of hundreds of megabytes is made
 * about as fast as it can be written.
 */
export class TextSource {
  readonly #random: Random
  readonly #prose: string
  readonly #code: string
  readonly #base64: string

  constructor(random: Random) {
    this.#random = random
    this.#prose = prosePool(random)
    this.#code = codePool(random)
    this.#base64 = Buffer.from(Array.from({ length: POOL_BYTES }, () => random.below(256))).toString("base64")
  }

  /** What a person or a model writes, of about that many UTF-16 units. */
  prose(chars: number): string {
    return this.#cut(this.#prose, chars)
  }

  /** Source code and the output of commands: many line ends, quotes, tabs and escapes. */
  code(chars: number): string {
    return this.#cut(this.#code, chars)
  }

  /** Base64 without padding that decodes to random bytes; the length is rounded up to a multiple of 4. */
  base64(chars: number): string {
    const length = Math.ceil(chars / 4) * 4
    let text = ""
    while (text.length < length) {
      const start = 4 * this.#random.below(this.#base64.length / 8)
      text += this.#base64.slice(start, start + length - text.length)
    }
    return text
  }

  #cut(pool: string, chars: number): string {
    let text = ""
    while (text.length < chars) {
      const wanted = Math.min(chars - text.length, pool.length / 2)
      const start = this.#random.below(pool.length / 2)
      text += withoutHalves(pool.slice(start, start + wanted))
      if (wanted < 2) break
    }
    // No program stores a text of white space alone.
    return text.trim() === "" ? ".".repeat(text.length) : text
  }
}

/** A cut may fall into a surrogate pair: the half goes. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "")
}

function prosePool(random: Random): string {
  const plain = WORDS.split(" ")
  const wide = WIDE_WORDS.split(" ")
  let text = ""
  while (text.length < POOL_CHARS) {
    const sentence = Array.from({ length: random.between(4, 18) }, () =>
      random.pick(random.chance(0.03) ? wide : plain),
    )
    text += `${sentence.join(" ")}${random.pick([". ", ". ", ".\n", ".\n\n- ", "? "])}`
  }
  return text
}

function codePool(random: Random): string {
  let text = ""
  while (text.length < POOL_CHARS) text += `${random.pick(CODE_LINES)}\n`
  return text
}
