import type { SecretFinding } from "./secret-finding.js"

/** A part of a joined text: one of the texts, or a part of one. */
interface Part {
  /** Index of its text. */
  readonly index: number
  /** Its range in the joined text: `[start, end)`. */
  readonly start: number
  readonly end: number
  /** Its offset in its text. */
  readonly offset: number
}

/** A finding in one of the joined texts. */
export interface SharedFinding extends SecretFinding {
  readonly index: number
}

/** Several texts joined to one string, to search them together. */
export class JoinedTexts {
  readonly text: string
  readonly #parts: readonly Part[]

  constructor(text: string, parts: readonly Part[]) {
    this.text = text
    this.#parts = parts
  }

  /** Converts a finding in the joined text to findings of each text that it overlaps. */
  *shared({ kind, start, end }: SecretFinding): Generator<SharedFinding> {
    for (let at = this.#firstEndingBehind(start); at < this.#parts.length; at++) {
      const part = this.#parts[at] as Part
      if (part.start >= end) return
      const moved = part.offset - part.start
      yield {
        kind,
        index: part.index,
        start: Math.max(start, part.start) + moved,
        end: Math.min(end, part.end) + moved,
      }
    }
  }

  #firstEndingBehind(offset: number): number {
    let [low, high] = [0, this.#parts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#parts[middle] as Part).end <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * A separator that almost no rule matches. If one does, such as that for private keys, its finding counts as a secret in both
 * texts.
 */
const BETWEEN = "\n\n\n\n\n"

/** Joins texts, each after its name, to strings of about `size` characters. A longer text becomes a string of its own. */
export function* joinTexts(
  texts: readonly { readonly text: string; readonly name?: string | undefined }[],
  size: number,
): Generator<JoinedTexts> {
  let pieces: string[] = []
  let parts: Part[] = []
  let length = 0
  for (const [index, { text, name }] of texts.entries()) {
    if (length > 0 && length + text.length > size) {
      yield new JoinedTexts(pieces.join(""), parts)
      pieces = []
      parts = []
      length = 0
    }
    const head = name === undefined ? "" : `${name}="`
    const tail = name === undefined ? BETWEEN : `"${BETWEEN}`
    const start = length + head.length
    parts.push({ index, start, end: start + text.length, offset: 0 })
    pieces.push(head, text, tail)
    length = start + text.length + tail.length
  }
  if (parts.length > 0) yield new JoinedTexts(pieces.join(""), parts)
}

/** The characters of tokens: printable ones except brackets, quotes, commas and semicolons. */
const IN_WORD = /* @__PURE__ */ Uint8Array.from({ length: 1 << 16 }, (_, code) =>
  code < 128 && /[!#-&*+./0-9:=?@A-Z^_a-z|~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const LONG = 12

/** The long words of a text, one per line, which are a fraction of it. */
export function longWordsOf(text: string): JoinedTexts {
  const words: string[] = []
  const parts: Part[] = []
  let [start, offset] = [0, 0]
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && IN_WORD[text.charCodeAt(at)] === 1) continue
    if (at - offset >= LONG) {
      words.push(text.slice(offset, at))
      parts.push({ index: 0, start, end: start + at - offset, offset })
      start += at - offset + 1
    }
    offset = at + 1
  }
  return new JoinedTexts(words.join("\n"), parts)
}
