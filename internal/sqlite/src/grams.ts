const LENGTH = 3
/** Surrogates. */
const HALVES = /[\ud800-\udfff]/

/**
 * The distinct trigrams of a folded text, shorter at the end of a word, separated by spaces for the tokenizer of `GRAM_TABLE`. They
 * contain no white space, and neither do terms.
 */
export function gramsOf(folded: string): string {
  const grams = new Set<string>()
  for (const word of folded.split(/\s+/)) {
    const characters = charactersOf(word)
    for (let at = 0; at < characters.length; at++) grams.add(slice(characters, at))
  }
  return [...grams].join(" ")
}

/** Grams that every text with the term contains: at most `most`, distributed over the term. */
export function gramsToFind(term: string, most: number): string[] {
  const characters = charactersOf(term)
  const last = Math.max(characters.length - LENGTH, 0)
  const step = Math.max(1, last / (most - 1))
  const grams = new Set<string>()
  for (let at = 0; at <= last; at += step) grams.add(slice(characters, Math.round(at)))
  return [...grams]
}

/** The characters of a word; the string itself if each is one UTF-16 unit, since that is faster. */
function charactersOf(word: string): string | string[] {
  return HALVES.test(word) ? [...word] : word
}

function slice(characters: string | string[], at: number): string {
  const part = characters.slice(at, at + LENGTH)
  return typeof part === "string" ? part : part.join("")
}
