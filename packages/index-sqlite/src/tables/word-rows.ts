import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { KnownWords } from "../tokens/known-words.js"
import { sumOf, type TableSum } from "./table-sum.js"

/** Shorter words contain no part that is looked for. */
const LEAST = 3

/** The words that terms match by their characters, each with the newest row that has it. */
export class WordRows {
  /** The newest rows of words that are stored, or newer ones that are in `#new`. */
  readonly #known: KnownWords
  readonly #new = new Map<string, number>()
  #making = ""

  constructor(known: KnownWords) {
    this.#known = known
  }

  /** Forgets what is stored where the tables were made anew. Called at the start of a transaction. */
  begin(connection: SqliteConnection): void {
    const making = connection.sql("SELECT hex(id) AS id FROM making").get<{ id: string }>()?.id ?? ""
    if (making !== this.#making || this.#known.isFull) this.forget()
    this.#making = making
  }

  /** @param words of a row, that no newer row is known to have */
  add(words: readonly string[], id: number): void {
    for (const word of words)
      if (word.length >= LEAST && (this.#new.get(word) ?? Number.POSITIVE_INFINITY) > id) this.#new.set(word, id)
  }

  /** Stores what was added, in the running transaction. */
  store(connection: SqliteConnection, sum: TableSum): void {
    const find = connection.sql("SELECT n, newest FROM word WHERE text = ?")
    const update = connection.sql("UPDATE word SET newest = ? WHERE n = ?")
    const insert = connection.sql("INSERT INTO word(text, newest) VALUES (?, ?) RETURNING n")
    const added: { n: number; word: string }[] = []
    for (const [word, id] of this.#new) {
      const known = find.get<{ n: number; newest: number }>(word)
      const newest = Math.min(known?.newest ?? id, id)
      if (known === undefined) added.push({ n: insert.get<{ n: number }>(word, id)?.n ?? 0, word })
      else if (newest < known.newest) update.run(newest, known.n)
      if (newest !== known?.newest) sum.add(sumOf(word, newest) - sumOf(word, known?.newest ?? 0))
    }
    const insertParts = connection.sql("INSERT INTO word_part(rowid, word) VALUES (?, ?)")
    for (const { n, word } of added) insertParts.run(n, word)
    this.#new.clear()
  }

  /** Drops what was added and not stored, and all that is remembered: the transaction failed. */
  forget(): void {
    this.#new.clear()
    this.#known.forget()
  }
}
