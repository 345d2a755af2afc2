import { quickWidth } from "./quick-width.js"

export interface Character {
  readonly segment: string
  /** Where it begins. UTF-16 units. */
  readonly index: number
}

/** Scripts and signs that join with what stands beside them, though each of them can be measured. */
const JOINING = /[\u0590-\u10ff]|\p{Emoji_Modifier}/u

let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people see them. */
export function charactersOf(text: string): Iterable<Character> {
  if (isPlain(text)) return codePointsOf(text)
  // Its tables take longer to load than most commands take to run.
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

/** Whether each code point is a character of its own. */
function isPlain(text: string): boolean {
  if (JOINING.test(text)) return false
  for (const codePoint of text) if (quickWidth(codePoint) === undefined) return false
  return true
}

function* codePointsOf(text: string): Generator<Character> {
  let index = 0
  for (const segment of text) {
    yield { segment, index }
    index += segment.length
  }
}
