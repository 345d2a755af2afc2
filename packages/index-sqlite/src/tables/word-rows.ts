import type { SqliteConnection } from "@treelog-internal/sqlite"

/** Shorter words contain no part that is looked for. */
const LEAST = 3
/** So many words are remembered; not those of this length or more, of which V8 keeps the whole text in memory. */
const [MOST, LONG] = [2 ** 17, 13]

interface WordRow {
  readonly n: number
  readonly text: string
  readonly newest: number
}

/** The words that terms match by their characters, each with the newest row that has it. */
export class WordRows {
  /** The newest rows of words that are stored, or newer ones that are in `#new`: most words of a text are known. */
  readonly #known = new Map<string, number>()
  readonly #new = new Map<string, number>()
  #making = ""

  /** Forgets what is stored where the tables were made anew. Called at the start of a transaction. */
  begin(connection: SqliteConnection): void {
    const making = connection.sql("SELECT hex(id) AS id FROM making").get<{ id: string }>()?.id ?? ""
    if (making !== this.#making) this.forget()
    this.#making = making
  }

  /** @param words of a row, with a space between two */
  add(words: string, id: number): void {
    if (this.#known.size > MOST) this.#known.clear()
    for (const word of words.split(" ")) {
      if (word.length < LEAST || (this.#known.get(word) ?? Number.POSITIVE_INFINITY) <= id) continue
      if (word.length < LONG) this.#known.set(word, id)
      this.#new.set(word, Math.min(id, this.#new.get(word) ?? id))
    }
  }

  /** Stores what was added, in the running transaction. */
  store(connection: SqliteConnection): void {
    const last = connection.sql("SELECT max(n) AS n FROM word").get<{ n: number | null }>()?.n ?? 0
    const find = connection.sql("SELECT n, text, newest FROM word WHERE text IN (SELECT value FROM json_each(?))")
    const update = connection.sql("UPDATE word SET newest = ? WHERE n = ?")
    for (const { n, text, newest } of find.all<WordRow>(JSON.stringify([...this.#new.keys()]))) {
      const id = this.#new.get(text) ?? newest
      this.#new.delete(text)
      if (id < newest) update.run(id, n)
    }
    const insert = connection.sql("INSERT INTO word(text, newest) SELECT key, value FROM json_each(?)")
    insert.run(JSON.stringify(Object.fromEntries(this.#new)))
    connection.sql("INSERT INTO word_part(rowid, word) SELECT n, text FROM word WHERE n > ? ORDER BY n").run(last)
    this.#new.clear()
  }

  /** Drops what was added and not stored, and all that is remembered: the transaction failed. */
  forget(): void {
    this.#new.clear()
    this.#known.clear()
  }
}
