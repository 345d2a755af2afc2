import type { Clock } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import {
  copySource,
  type FileQuery,
  type FileUse,
  type IndexFilter,
  type IndexSource,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchQuery,
  type SearchResult,
  type SessionIndex,
  type UsageQuery,
  updateIndex,
} from "@treelog/session-core/search"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import { fileUses } from "./answers/file-uses.js"
import { searchIndex } from "./answers/search-index.js"
import { usageRows } from "./answers/usage-rows.js"
import { type IndexStatus, statusOf } from "./index-status.js"
import { loadDriver } from "./load-driver.js"
import { type IndexFile, indexFile } from "./open-index.js"
import { remakeTables, requireSound } from "./schema.js"
import { SessionResults } from "./session-results.js"
import { SessionRows } from "./tables/session-rows.js"
import { SqliteIndexTables } from "./tables/sqlite-index-tables.js"

type UsageRow = Awaited<ReturnType<SessionIndex["usage"]>>[number]

/** Options of a `SqliteSessionIndex`: where its sessions are from, one source or several with different names, and its file. */
export type SqliteSessionIndexOptions = (IndexSource | { readonly sources: readonly IndexSource[] }) & IndexFileSettings

/** The file of an index. */
export interface IndexFileSettings {
  /**
   * The path of the database file, in a folder for caches. Created, with its folder, when it is first needed. Several indexes may have some of
   * their sources in one file: each answers for its own.
   */
  readonly path: string
  /** Called when the index proved to be damaged and was deleted: it is built anew. */
  readonly onDamaged?: (() => void) | undefined
  /** Called where the file cannot be made or written: the index is in memory then, until it is closed. Default: methods fail with StorageError. */
  readonly onUnwritable?: ((error: Error) => void) | undefined
  /** Default: better-sqlite3 if it is installed and loads, otherwise the SQLite of Node or Bun. Called when the file is first needed. */
  readonly loadDriver?: (() => Promise<SqliteDriver>) | undefined
  /** The clock, for tests. */
  readonly clock?: Clock | undefined
}

/** How often an update or an answer begins again with a new index, after the last one was found damaged. */
const ATTEMPTS = 3

/**
 * Keeps an index of sessions in an SQLite database, which several processes can use at the same time. It has no texts, only their words
 * and where they stand: what it finds is read from the sessions and compared, so that it never shows what is stored no more. It can be
 * deleted at any time.
 */
export class SqliteSessionIndex implements SessionIndex {
  readonly #sources: readonly IndexSource[]
  readonly #names: readonly string[]
  readonly #file: IndexFile
  readonly #loadDriver: () => Promise<SqliteDriver>
  readonly #now: () => number

  constructor(options: SqliteSessionIndexOptions) {
    const { path, clock = systemClock, onDamaged = () => {} } = options
    this.#sources = "sources" in options ? options.sources : [options]
    this.#names = this.#sources.map(({ name = "" }) => name)
    this.#now = () => clock.now()
    this.#loadDriver = options.loadDriver ?? loadDriver
    this.#file = indexFile({
      path,
      sources: new Map(this.#sources.map((source) => [source.name ?? "", copySource(source)])),
      loadDriver: this.#loadDriver,
      now: this.#now,
      onDamaged,
      onUnwritable: options.onUnwritable,
    })
  }

  /** What the index has, and which driver it uses. @throws IndexUnavailableError, StorageError */
  async status(): Promise<IndexStatus> {
    const { name } = await this.#loadDriver()
    return this.#file.use("status", (connection) => statusOf(connection, this.#names, name))
  }

  async update(options: IndexUpdateOptions = {}): Promise<IndexUpdateReport> {
    await this.#dropRemoved()
    for (let attempt = 1; ; attempt++) {
      const { replaced } = this.#file
      const report = await this.#updateOnce(options)
      if (this.#file.replaced === replaced || attempt === ATTEMPTS) return report
    }
  }

  search(query: SearchQuery): Promise<SearchResult> {
    return this.#answer(() => searchIndex(this.#file, this.#sources, this.#ofOwn(query)))
  }

  usage(query: UsageQuery): Promise<UsageRow[]> {
    return this.#answer(() => this.#file.use("usage", (connection) => usageRows(connection, this.#ofOwn(query))))
  }

  files(query: FileQuery): Promise<FileUse[]> {
    return this.#answer(() => fileUses(this.#file, this.#ofOwn(query)))
  }

  /** The ids of the sessions of a source that it has, without those of their parts. @param source its name; default: that of the first */
  ids(source = this.#names[0] ?? ""): Promise<string[]> {
    return this.#file.use("ids", (connection) => new SessionRows(connection).ids(source))
  }

  /** Has SQLite check the file: a damaged one is deleted, and the next update builds it anew. @throws IndexUnavailableError, StorageError */
  check(): Promise<void> {
    return this.#file.use("check", requireSound)
  }

  /** Forgets all that the file has, also of other sources. Other processes may have it open. @throws IndexUnavailableError, StorageError */
  clear(): Promise<void> {
    return this.#file.use("clear", (connection) => connection.transaction(() => remakeTables(connection.db)))
  }

  /**
   * What was derived from whole sessions of the first source, such as the findings of a scan: kept until a session changes. Independent of `update`.
   * @param kind what is derived
   * @param version of whatever derives it: results of another version are not known
   */
  results(kind: string, version: string): SessionResults {
    return new SessionResults(this.#file, this.#now, { source: this.#names[0] ?? "", kind, version })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** The file may have other sources, too. */
  #ofOwn<Filter extends IndexFilter>(filter: Filter): Filter & { readonly sources: readonly string[] } {
    return { ...filter, sources: filter.sources ?? this.#names }
  }

  /** An answer from an index that was damaged until then would lack what its place has not got yet: that is built first. */
  async #answer<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const { replaced } = this.#file
      const answered = await answer()
      if (this.#file.replaced === replaced || attempt === ATTEMPTS) return answered
      await this.update()
    }
  }

  async #updateOnce(options: IndexUpdateOptions): Promise<IndexUpdateReport> {
    const tables = new SqliteIndexTables(this.#file)
    try {
      const sources = this.#sources.filter(({ name = "" }) => options.sources?.includes(name) !== false)
      return await updateIndex(sources, tables, { ...options, now: this.#now })
    } finally {
      await tables.flush()
    }
  }

  /** Empties an index of which the greater part was removed: it is built anew. */
  async #dropRemoved(): Promise<void> {
    await this.#file.use("update", (connection) => {
      const count = (which: string) =>
        connection.sql(`SELECT count(*) AS rows FROM entry WHERE session ${which} 0`).get<{ rows: number }>()?.rows ?? 0
      const removed = count("=")
      if (removed > LEAST_REMOVED && removed > count("<>")) connection.transaction(() => remakeTables(connection.db))
    })
  }
}

/** Fewer removed entries stay in the index. */
const LEAST_REMOVED = 10_000
