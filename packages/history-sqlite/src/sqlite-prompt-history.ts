import { hasSecrets } from "@treelog/secrets"
import { systemClock } from "@treelog/session-core/adapter"
import {
  type ImportedPrompt,
  type Prompt,
  type PromptHistory,
  type PromptHistoryOptions,
  type PromptIgnoreRules,
  type PromptImportOptions,
  type PromptImportReport,
  type PromptListOptions,
  type PromptOrigin,
  PromptQueue,
  type PromptSelection,
  type PromptStats,
  promptTerms,
  requirePromptTerms,
} from "@treelog/session-core/prompt-history"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import { eraseTraces } from "./database/erase-traces.js"
import { deletePrompts } from "./delete-prompts.js"
import { HistoryFile } from "./history-file.js"
import { historyStats, NOTHING_STORED } from "./history-stats.js"
import { importPrompts } from "./import-prompts.js"
import { insertPrompts } from "./insert-prompts.js"
import { loadDriver } from "./load-driver.js"
import { ReadOnlyFile } from "./read-only-file.js"
import { findPrompts, promptWithId } from "./search/find-prompts.js"

/** Options of a `SqlitePromptHistory`. */
export interface SqlitePromptHistoryOptions extends PromptHistoryOptions {
  /** The path of the database file, usually `history.db` in the agent's folder. Created, with its folder, when it is first needed. */
  readonly path: string
  /**
   * `"read"` to read a database without changing it, its log or its folder, even while others write to it: SQLite gets a copy
   * in the folder of temporary files. It is neither created nor migrated. Added prompts are not stored, which `flush` reports.
   * Default `"write"`.
   */
  readonly access?: "write" | "read" | undefined
  /** Rules for prompts that are not stored. Prompts that look like they contain a secret are ignored, unless `secrets` is false. */
  readonly ignore?: PromptIgnoreRules | undefined
  /** Called with the new path of an unreadable database, which was renamed and replaced by a new one. */
  readonly onQuarantine?: ((path: string) => void) | undefined
  /** Default: better-sqlite3 if it is installed and loads, otherwise the SQLite of Node or Bun. Called when the file is first needed. */
  readonly loadDriver?: (() => Promise<SqliteDriver>) | undefined
}

/**
 * Stores prompts in an SQLite database, which several processes can use at the same time, including xcsh and omp (FORMAT.md, section
 * 10). Loads the driver and opens the file when the first prompt is stored or read.
 */
export class SqlitePromptHistory implements PromptHistory {
  readonly #file: HistoryFile | ReadOnlyFile
  readonly #queue: PromptQueue
  readonly #now: () => number
  readonly #rules: PromptIgnoreRules

  constructor(options: SqlitePromptHistoryOptions) {
    const { path, clock = systemClock, ignore = {}, onQuarantine = () => {} } = options
    this.#now = () => clock.now()
    this.#rules = { ...ignore, secrets: ignore.secrets ?? hasSecrets }
    const file = { path, loadDriver: options.loadDriver ?? loadDriver, now: this.#now, onQuarantine }
    this.#file = options.access === "read" ? new ReadOnlyFile(file) : new HistoryFile(file)
    this.#queue = new PromptQueue({
      clock,
      rules: this.#rules,
      store: (prompts) =>
        this.#file.change("add", (connection) => connection.transaction(() => insertPrompts(connection, prompts))),
      onError: options.onError,
      defer: setImmediate,
    })
  }

  get lastError(): unknown {
    return this.#queue.lastError
  }

  add(text: string, origin?: PromptOrigin): void {
    this.#queue.add(text, origin)
  }

  recent(options?: PromptListOptions): Promise<Prompt[]> {
    return this.search("", options)
  }

  async search(query: string, { scope = { kind: "all" }, limit = 100 }: PromptListOptions = {}): Promise<Prompt[]> {
    const terms = promptTerms(query)
    await this.#queue.flushToRead()
    return this.#file.read("search", (connection) => findPrompts(connection, { terms, scope, limit }), [])
  }

  async get(id: number): Promise<Prompt | undefined> {
    await this.#queue.flushToRead()
    return this.#file.read("get", (connection) => promptWithId(connection, id), undefined)
  }

  async delete(selection: PromptSelection): Promise<number> {
    if ("query" in selection) requirePromptTerms(selection.query)
    await this.flush()
    const count = await this.#file.change("delete", (connection) => deletePrompts(connection, selection, this.#now()))
    await this.#file.change("delete", eraseTraces)
    return count
  }

  async import(
    prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
    options: PromptImportOptions = {},
  ): Promise<PromptImportReport> {
    await this.flush()
    return importPrompts(this.#file, prompts, { ...options, rules: this.#rules })
  }

  async stats(): Promise<PromptStats> {
    await this.#queue.flushToRead()
    return this.#file.read("stats", historyStats, NOTHING_STORED)
  }

  flush(): Promise<void> {
    return this.#queue.flush()
  }

  async close(): Promise<void> {
    try {
      await this.#queue.close()
    } finally {
      await this.#file.close()
    }
  }
}
