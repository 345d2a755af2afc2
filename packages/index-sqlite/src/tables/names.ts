import { fileNameOf } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { storableText } from "./storable-text.js"

/** Numbers for texts that are stored often: names of models and tools, and paths. Used in one transaction. */
export class Names {
  readonly #connection: SqliteConnection
  readonly #names = new Map<string, number>()
  readonly #paths = new Map<string, number>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  name(text: string): number {
    return this.#number(this.#names, text, "SELECT n FROM name WHERE text = ?", (stored) =>
      this.#connection.sql("INSERT INTO name(text) VALUES (?) RETURNING n").get<{ n: number }>(stored),
    )
  }

  path(text: string): number {
    return this.#number(this.#paths, text, "SELECT n FROM path WHERE text = ?", (stored) =>
      this.#connection
        .sql("INSERT INTO path(text, base) VALUES (?, ?) RETURNING n")
        .get<{ n: number }>(stored, fileNameOf(stored)),
    )
  }

  #number(
    known: Map<string, number>,
    text: string,
    select: string,
    insert: (stored: string) => { n: number } | undefined,
  ): number {
    const stored = storableText(text)
    const n = known.get(text) ?? this.#connection.sql(select).get<{ n: number }>(stored)?.n ?? insert(stored)?.n ?? 0
    known.set(text, n)
    return n
  }
}
