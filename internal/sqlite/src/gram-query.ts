import { gramsToFind } from "./grams.js"

/** The most grams to look up for a query. More would not narrow the rows further, and take longer. */
const MOST_GRAMS = 48

/** The ASCII punctuation that terms may contain. All other characters are token characters by default. */
const PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~".replaceAll('"', '""')

/**
 * The columns and options of an FTS5 table for the tokens of `gramsOf`. The prefix indexes are for grams of one and two characters.
 */
export const GRAM_TABLE = `grams, content='', detail=none, columnsize=0, prefix='1 2', tokenize="ascii tokenchars '${PUNCTUATION}'"`

/** FTS5 conditions that every row with all the terms fulfils, and few others do. */
export function gramConditions(terms: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(MOST_GRAMS / terms.length))
  const grams = new Set(terms.slice(0, MOST_GRAMS / 2).flatMap((term) => gramsToFind(term, most)))
  return [...grams].map((gram) => (isWhole(gram) ? quoteToken(gram) : `${quoteToken(gram)}*`))
}

/** Whether it is a full trigram, and not a prefix of one. */
function isWhole(gram: string): boolean {
  return gram.length > 2 && [...gram].length > 2
}

/** Quotes a token for FTS5, so that nothing in it is syntax. */
export function quoteToken(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}
