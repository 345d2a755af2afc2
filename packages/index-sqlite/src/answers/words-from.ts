import type { SqliteConnection } from "@treelog-internal/sqlite"

/**
 * The words and pairs of the index that begin with a text; undefined if they are more than `most`. FTS5 collects all rows of a prefix before the
 * first, but reads those of words as they are needed: for a common prefix the difference is a hundredfold.
 */
export function wordsFrom(connection: SqliteConnection, prefix: string, most: number): string[] | undefined {
  const find = connection.sql("SELECT term FROM words_vocabulary WHERE term >= ? ORDER BY term LIMIT 1")
  const words: string[] = []
  for (let from = prefix; ; ) {
    const { term } = find.get<{ term: string }>(from) ?? {}
    if (term?.startsWith(prefix) !== true) return words
    if (words.push(term) > most) return undefined
    // No word has a control character, so that this is before all that are longer.
    from = `${term}\u0001`
  }
}
