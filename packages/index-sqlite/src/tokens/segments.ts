import { WITHOUT_SPACES, wordsOf } from "@treelog/session-core/session-index"

/** A part of a word: of a script that separates words, or of one that does not. */
export interface Segment {
  readonly text: string
  readonly hasSpaces: boolean
}

const ASCII = /^[\x20-\x7e]*$/

/** The parts of a word, in their order. Most words are one. */
export function segmentsOf(word: string): Segment[] {
  if (ASCII.test(word)) return [{ text: word, hasSpaces: true }]
  const segments: Segment[] = []
  let text = ""
  let isSpaced: boolean | undefined
  for (const character of word) {
    const next = !WITHOUT_SPACES.test(character)
    if (isSpaced !== undefined && next !== isSpaced) {
      segments.push({ text, hasSpaces: isSpaced })
      text = ""
    }
    isSpaced = next
    text += character
  }
  if (isSpaced !== undefined) segments.push({ text, hasSpaces: isSpaced })
  return segments
}

/** The pairs of neighbours in a segment without spaces; the character itself if there is only one. */
export function pairsOf(text: string): string[] {
  const characters = [...text]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => (characters[at] ?? "") + character)
}

export { wordsOf }
