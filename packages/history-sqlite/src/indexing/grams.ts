const LENGTH = 3
/** Halves of characters. */
const HALVES = /[\ud800-\udfff]/

/**
 * Every sequence of three characters of a folded text, once, those at the end of a word being shorter; between
 * spaces, as the tokenizer of `treelog_gram` takes them apart. White space is in none: it is in no term either.
 */
export function gramsOf(folded: string): string {
  const grams = new Set<string>()
  for (const word of folded.split(/\s+/)) {
    const characters = charactersOf(word)
    for (let at = 0; at < characters.length; at++) grams.add(slice(characters, at))
  }
  return [...grams].join(" ")
}

/** The sequences that a text has to have if it holds the term; at most `most`, spread over the term. */
export function gramsToFind(term: string, most: number): string[] {
  const characters = charactersOf(term)
  const last = Math.max(characters.length - LENGTH, 0)
  const step = Math.max(1, last / (most - 1))
  const grams = new Set<string>()
  for (let at = 0; at <= last; at += step) grams.add(slice(characters, Math.round(at)))
  return [...grams]
}

/** The same as a string where each character is one unit, since that is faster. */
function charactersOf(word: string): string | string[] {
  return HALVES.test(word) ? [...word] : word
}

function slice(characters: string | string[], at: number): string {
  const part = characters.slice(at, at + LENGTH)
  return typeof part === "string" ? part : part.join("")
}
