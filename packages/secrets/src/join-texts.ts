import type { SecretFinding } from "./secret-finding.js"

/** A piece of a joined text: one of the texts, or a part of one. */
interface Part {
  /** Which text it is of. */
  readonly index: number
  /** Where it stands in what is joined: `[start, end)`. */
  readonly start: number
  readonly end: number
  /** Where it begins in its text. */
  readonly offset: number
}

/** What was found in one of the texts. */
export interface SharedFinding extends SecretFinding {
  readonly index: number
}

/** Texts in one, which are looked at in one go. */
export class JoinedTexts {
  readonly text: string
  readonly #parts: readonly Part[]

  constructor(text: string, parts: readonly Part[]) {
    this.text = text
    this.#parts = parts
  }

  /** A finding in what is joined, as one of each text that it touches. */
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
 * Lines that hardly a rule looks across. Where one does, as that of private keys, what it found in two texts is taken for a
 * secret in both.
 */
const BETWEEN = "\n\n\n\n\n"

/** Joins texts, each behind its name, to strings of about `size` characters each. A longer text is a string of its own. */
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

/** Printable characters but brackets, quotes, commas and semicolons. Tokens are of these, and longer than most of code is. */
const IN_WORD = /* @__PURE__ */ Uint8Array.from({ length: 1 << 16 }, (_, code) =>
  code < 128 && /[!#-&*+./0-9:=?@A-Z^_a-z|~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const LONG = 12

/** The long words of a text, a line for each: a fraction of it. */
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
