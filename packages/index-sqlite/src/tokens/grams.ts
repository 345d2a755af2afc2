/** The columns and options of a table that finds words by their parts: FTS5 splits each word into its trigrams. */
export const PART_TABLE = "word, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1'"

/** The distinct trigrams of a word, as FTS5 has them. None of a shorter one. */
export function gramsOf(word: string): string[] {
  const characters = [...word]
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join("")))]
}
