import { hasSecret } from "@treelog/secrets"
import type { Clock } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import { plainTerms } from "@treelog/session-core/search"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import { eraseTraces } from "./database/erase-traces.js"
import { deletePrompts, requirePromptTerms } from "./delete-prompts.js"
import { HistoryFile } from "./history-file.js"
import { historyStats, NOTHING_STORED } from "./history-stats.js"
import { importPrompts } from "./import-prompts.js"
import { insertPrompts } from "./insert-prompts.js"
import { loadDriver } from "./load-driver.js"
import type {
  ImportedPrompt,
  Prompt,
  PromptIgnoreRules,
  PromptImportOptions,
  PromptImportReport,
  PromptListOptions,
  PromptOrigin,
  PromptSelection,
  PromptStats,
} from "./prompt.js"
import { PromptQueue } from "./prompt-queue.js"
import { ReadOnlyFile } from "./read-only-file.js"
import { findPrompts, promptWithId } from "./search/find-prompts.js"

/** Options of a `SqlitePromptHistory`. */
export interface SqlitePromptHistoryOptions {
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
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  /**
   * Called when prompts could not be stored and no caller gets the error: in the background, and before a listing, which
   * then returns what is stored.
   */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called with the new path of an unreadable database, which was renamed and replaced by a new one. */
  readonly onQuarantine?: ((path: string) => void) | undefined
  /** Default: better-sqlite3 if it is installed and loads, otherwise the SQLite of Node or Bun. Called when the file is first needed. */
  readonly loadDriver?: (() => Promise<SqliteDriver>) | undefined
}

/**
 * The prompts of a user, across sessions and folders, in an SQLite database, which several processes can use at the same time,
 * including xcsh and omp (FORMAT.md, section 10). Loads the driver and opens the file when the first prompt is stored or read.
 *
 * Prompts are stored with their time in seconds. Listings return distinct texts, newest first; among prompts of the same second, the
 * last stored one comes first. A listing includes everything that was added to this object before, except prompts that could not be
 * stored, in which case `lastError` has the reason.
 *
 * Only methods that return a promise fail, with a `TreelogError`: HistoryUnavailableError when there is no SQLite or the history is
 * closed, UnsupportedVersionError when a newer program wrote the file and it can only be read, StorageError.
 */
export class SqlitePromptHistory {
  readonly #file: HistoryFile | ReadOnlyFile
  readonly #queue: PromptQueue
  readonly #now: () => number
  readonly #rules: PromptIgnoreRules

  constructor(options: SqlitePromptHistoryOptions) {
    const { path, clock = systemClock, ignore = {}, onQuarantine = () => {} } = options
    this.#now = () => clock.now()
    this.#rules = { ...ignore, secrets: ignore.secrets ?? hasSecret }
    const file = { path, loadDriver: options.loadDriver ?? loadDriver, now: this.#now, onQuarantine }
    this.#file = options.access === "read" ? new ReadOnlyFile(file) : new HistoryFile(file)
    this.#queue = new PromptQueue({
      clock,
      rules: this.#rules,
      store: (prompts) =>
        this.#file.change("add", (connection) => connection.transaction(() => insertPrompts(connection, prompts))),
      onError: options.onError,
    })
  }

  /**
   * The error of the last attempt to store prompts, in the background or not. Undefined when all that was added is
   * stored, or is being stored for the first time.
   */
  get lastError(): unknown {
    return this.#queue.lastError
  }

  /**
   * Adds a prompt with the current time. Never throws and never waits. It is stored in the background, without a `flush`; if that
   * fails, `lastError` and `onError` report it, and the next `add`, `flush` or listing tries again. The text is
   * trimmed; an empty one, one equal to the last that was added to this object, and one that the rules
   * exclude are ignored.
   */
  add(text: string, origin?: PromptOrigin): void {
    this.#queue.add(text, origin)
  }

  /** Lists the newest prompts. */
  recent(options?: PromptListOptions): Promise<Prompt[]> {
    return this.search("", options)
  }

  /**
   * Lists the newest prompts that contain every term of the query. Terms are separated by white space. A term may
   * begin and end anywhere in a word; case, accents and width do not matter. There is no query syntax. A query
   * without terms finds every prompt.
   */
  async search(query: string, { scope = { kind: "all" }, limit = 100 }: PromptListOptions = {}): Promise<Prompt[]> {
    const terms = plainTerms(query)
    await this.#queue.flushToRead()
    return this.#file.read("search", (connection) => findPrompts(connection, { terms, scope, limit }), [])
  }

  /** The prompt with this id; undefined when there is none. */
  async get(id: number): Promise<Prompt | undefined> {
    await this.#queue.flushToRead()
    return this.#file.read("get", (connection) => promptWithId(connection, id), undefined)
  }

  /**
   * Removes prompts for good, and prevents a later `import` from restoring them. Adding one again by `add` is not an
   * import.
   * @returns the number of removed rows: a text counts as often as it was stored
   * @throws InvalidArgumentError for a query without terms, which would remove everything
   */
  async delete(selection: PromptSelection): Promise<number> {
    if ("query" in selection) requirePromptTerms(selection.query)
    await this.flush()
    const count = await this.#file.change("delete", (connection) => deletePrompts(connection, selection, this.#now()))
    await this.#file.change("delete", eraseTraces)
    return count
  }

  /**
   * Imports prompts of the past. One that is stored already, with the same text, second and session, is not stored
   * again; so an import can be repeated and resumed. They are trimmed, and the rules apply.
   * @throws the reason of `options.signal` when it aborts; prompts imported until then are kept
   */
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

  /** Resolves when all that was added is stored and survives the process. If it fails, the next one tries again. */
  flush(): Promise<void> {
    return this.#queue.flush()
  }

  /** Flushes and releases all resources. Later `add` calls are ignored, and every other method fails. */
  async close(): Promise<void> {
    try {
      await this.#queue.close()
    } finally {
      await this.#file.close()
    }
  }
}
