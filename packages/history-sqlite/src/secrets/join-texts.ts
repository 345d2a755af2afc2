/**
 * Lines that no rule looks across, but for those of private keys: two halves of one in two texts are both taken for
 * it.
 */
const SEPARATOR = "\n\n"

export interface JoinedTexts {
  readonly joined: string
  /** The indexes of the texts that a range of `joined` touches. */
  indexAt(start: number, end: number): number[]
}

/** Joins texts to strings of about `size` characters each. A longer text is a string of its own. */
export function* joinTexts(
  texts: readonly { readonly text: string; readonly index: number }[],
  size: number,
): Generator<JoinedTexts> {
  let parts: { text: string; index: number; start: number }[] = []
  let length = 0
  for (const { text, index } of texts) {
    if (length > 0 && length + text.length > size) {
      yield joinedTexts(parts)
      parts = []
      length = 0
    }
    parts.push({ text, index, start: length })
    length += text.length + SEPARATOR.length
  }
  if (parts.length > 0) yield joinedTexts(parts)
}

function joinedTexts(parts: readonly { text: string; index: number; start: number }[]): JoinedTexts {
  return {
    joined: parts.map(({ text }) => text).join(SEPARATOR),
    indexAt: (from, to) =>
      parts.filter(({ text, start }) => start < to && start + text.length > from).map(({ index }) => index),
  }
}
