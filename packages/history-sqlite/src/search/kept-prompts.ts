import { foldText } from "@treelog/session-core/search"
import { pragma, type SqliteConnection } from "@treelog-internal/sqlite"
import type { Prompt } from "../prompt.js"
import type { HistoryShape } from "../schema/history-shape.js"
import { columnsOf, type HistoryRow, promptOf } from "./row.js"

/** How many of the newest prompts are read first: most searches find enough among them. */
const FIRST = 1000

export interface KeptPrompt {
  readonly prompt: Prompt
  /** Its text, folded. */
  readonly folded: string
}

/** The prompts of a database, newest first, in memory until the database changes. */
export class KeptPrompts {
  readonly #connection: SqliteConnection
  readonly #columns: string
  #state: string | undefined
  #prompts: readonly KeptPrompt[] = []
  #isAll = false

  constructor(connection: SqliteConnection, shape: HistoryShape) {
    this.#connection = connection
    this.#columns = columnsOf(shape)
  }

  /** The newest ones, and whether these are all. */
  newest(): { readonly prompts: readonly KeptPrompt[]; readonly isAll: boolean } {
    const state = this.#currentState()
    if (state !== this.#state) this.#read(FIRST)
    this.#state = state
    return { prompts: this.#prompts, isAll: this.#isAll }
  }

  all(): readonly KeptPrompt[] {
    if (!this.newest().isAll) this.#read(-1)
    return this.#prompts
  }

  /** Differs after a change by another connection, or by this one. */
  #currentState(): string {
    const changes = this.#connection.sql("SELECT total_changes() AS changes").get<{ changes: number }>()?.changes
    return `${pragma(this.#connection.db, "data_version")} ${changes}`
  }

  #read(most: number): void {
    const rows = this.#connection.sql(`SELECT ${this.#columns} FROM history ORDER BY created_at DESC, id DESC LIMIT ?`)
    this.#prompts = rows.all<HistoryRow>(most).map((row) => ({ prompt: promptOf(row), folded: foldText(row.prompt) }))
    this.#isAll = most < 0 || this.#prompts.length < most
  }
}
