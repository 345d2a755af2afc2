import type { SqliteConnection } from "@treelog-internal/sqlite"
import { gramsOf } from "../tokens/grams.js"
import { quoteToken } from "../tokens/quote-token.js"

/** Words that have a part. */
export interface FoundWords {
  readonly tokens: readonly string[]
  /** Rows with lower ids that have such a word have one of these; others may have more. */
  readonly before: number
}

/** Where a part stands in a word. */
export interface PartPlace {
  readonly isStart: boolean
  readonly isEnd: boolean
}

interface WordRow {
  readonly text: string
  readonly newest: number
}

/** Shorter parts are in most texts. */
const LEAST = 3
/** With more words, a part is in so many texts that looking for the words does not help. */
const MOST_WORDS = 4096
/** More trigrams of a part would not narrow the words further, and take longer. */
const MOST_GRAMS = 24
/** Words with one beginning. */
const OFTEN = 256

/** Finds words by their parts. Made for one answer. */
export class WordParts {
  readonly #connection: SqliteConnection
  readonly #found = new Map<string, readonly WordRow[]>()
  readonly #from = new Map<string, readonly string[] | undefined>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /**
   * The words with a part that stand in the newest rows: a row has none of them that is newer than the word's newest row.
   * @returns undefined if they do not narrow a search
   */
  find(part: string, place: PartPlace, most: number): FoundWords | undefined {
    if ([...part].length < LEAST) return undefined
    const words = this.#words(part, place)
    if (words.length <= Math.min(most, MOST_WORDS))
      return { tokens: words.map(({ text }) => text), before: Number.POSITIVE_INFINITY }
    if (most > MOST_WORDS) return undefined
    return { tokens: words.slice(0, most).map(({ text }) => text), before: words[most]?.newest ?? 0 }
  }

  /** The words that begin with a text; undefined if they are so many that FTS5's own search for a prefix costs less. */
  wordsFrom(prefix: string): readonly string[] | undefined {
    return this.#wordsFrom(prefix, MOST_WORDS)
  }

  /** Whether so many words begin with a text that most texts have one of them. */
  isOften(prefix: string): boolean {
    return this.#areMany(prefix) || this.#wordsFrom(prefix, OFTEN) === undefined
  }

  /** Whether enough of the words alone begin with it that were said: these are counted by their own index. */
  #areMany(prefix: string): boolean {
    const count = this.#connection.sql(
      "SELECT count(*) AS found FROM (SELECT 1 FROM word WHERE text >= ? AND text < ? LIMIT ?)",
    )
    const { found = 0 } = count.get<{ found: number }>(prefix, `${prefix}\u{10ffff}`, OFTEN + 1) ?? {}
    return found > OFTEN
  }

  #wordsFrom(prefix: string, most: number): readonly string[] | undefined {
    const key = `${most} ${prefix}`
    if (!this.#from.has(key)) this.#from.set(key, wordsFrom(this.#connection, prefix, most))
    return this.#from.get(key)
  }

  /** The words with a part, those of the newest rows first. */
  #words(part: string, { isStart, isEnd }: PartPlace): readonly WordRow[] {
    const key = `${isStart} ${isEnd} ${part}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const words = (isStart ? this.#beginning(part) : this.#having(part))
      .filter(
        ({ text }) =>
          (isStart ? text.startsWith(part) : true) && (isEnd ? text.endsWith(part) : true) && text.includes(part),
      )
      .sort((a, b) => a.newest - b.newest)
    this.#found.set(key, words)
    return words
  }

  #beginning(part: string): WordRow[] {
    const find = this.#connection.sql("SELECT text, newest FROM word WHERE text >= ? AND text < ?")
    return find.all<WordRow>(part, `${part}\u{10ffff}`)
  }

  #having(part: string): WordRow[] {
    const find = this.#connection.sql(`
      SELECT word.text, word.newest FROM word_part CROSS JOIN word ON word.n = word_part.rowid
      WHERE word_part MATCH ?`)
    return find.all<WordRow>(gramsOf(part).slice(0, MOST_GRAMS).map(quoteToken).join(" AND "))
  }
}

/**
 * The words and pairs of the index that begin with a text; undefined if they are more than `most`. FTS5 collects all rows of a prefix before the
 * first, but reads those of words as they are needed: for a common prefix the difference is a hundredfold.
 */
function wordsFrom(connection: SqliteConnection, prefix: string, most: number): string[] | undefined {
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
