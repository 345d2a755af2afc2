import { CopyOrder, type copySource } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { storableText } from "./storable-text.js"

/** What decides which copy of an entry counts. */
export type CopySource = ReturnType<typeof copySource>

interface SourceRow extends CopySource {
  readonly n: number
  readonly name: string
}

/** The sources of an index, by their names, for one answer or one transaction. */
export class SourceRows {
  readonly #rows: readonly SourceRow[]
  /** Which of several copies of an entry counts. */
  readonly order: CopyOrder

  constructor(connection: SqliteConnection) {
    this.#rows = connection.sql("SELECT n, name, agent, rank FROM source").all<SourceRow>()
    this.order = new CopyOrder(new Map(this.#rows.map((row) => [row.name, row])))
  }

  get names(): readonly string[] {
    return this.#rows.map(({ name }) => name)
  }

  /** The number of a source; 0 of one that the index does not know. */
  numberOf(name = ""): number {
    const stored = storableText(name)
    return this.#rows.find((row) => row.name === stored)?.n ?? 0
  }
}
