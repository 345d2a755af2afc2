import { setTimeout as wait } from "node:timers/promises"
import { isTreelogError } from "@treelog/session-core"
import { matchesId, type StorageStat } from "@treelog/session-core/adapter"
import { type IndexProgress, parseQuery, type SearchQuery } from "@treelog/session-core/search"
import type { ServeOptions } from "./serve-options.js"

/** Further hits are left out. */
const MOST_HITS = 2_000

/** How long an answer waits for the index to be brought up to date. Milliseconds. */
const PATIENCE = 300

/** The answer to a search, as the page gets it. */
export interface SearchAnswer {
  /** Entries, the newest first. */
  readonly ids: readonly string[]
  /** Whether there are more. */
  readonly isMore: boolean
  /** Set while the index is brought up to date: sessions that it has, and all. */
  readonly indexing?: Pick<IndexProgress, "done" | "total">
}

/**
 * Searches the served session in an index of its storage. The index is opened by the first search, and brought up to date whenever the
 * session has changed since the last one.
 */
export class IndexedSearch {
  readonly #options: Pick<ServeOptions, "storage" | "key" | "search">
  readonly #closing: AbortSignal
  /** The state of the session when the index was last complete. */
  #indexedState: string | undefined
  #update: Promise<void> | undefined
  #progress: SearchAnswer["indexing"]
  /** Why the last update failed; reported to the next search. */
  #failure: { readonly error: unknown } | undefined

  constructor(options: Pick<ServeOptions, "storage" | "key" | "search">, closing: AbortSignal) {
    this.#options = options
    this.#closing = closing
  }

  /**
   * Finds entries by a query as `parseQuery` reads it.
   * @returns undefined if there is no index, or the session is not in it
   * @throws InvalidArgumentError for a text that is not a query; StorageError when the index cannot be read or updated
   */
  async find(text: string): Promise<SearchAnswer | undefined> {
    const { search } = this.#options
    const query = parseQuery(text, Date.now())
    if (!search) return undefined
    if (query.session !== undefined && !matchesId(query.session, search.sessionId)) return { ids: [], isMore: false }
    try {
      await this.#refresh()
      return await this.#ask(search, query)
    } catch (error) {
      if (isTreelogError(error, "IndexUnavailableError")) return undefined
      throw error
    }
  }

  /** Resolves when nothing is written to the index any more. */
  async stopped(): Promise<void> {
    await this.#update
  }

  async #ask(
    { index, sessionId }: NonNullable<ServeOptions["search"]>,
    query: SearchQuery,
  ): Promise<SearchAnswer | undefined> {
    const isUpdating = this.#update !== undefined
    const known = await index.search({ session: sessionId, limit: 1, snippet: 1 })
    if (!isUpdating && !known.sessions.some(({ session }) => session.key === this.#options.key)) return undefined
    const { sessions, isMore } = await index.search({ ...query, session: sessionId, limit: MOST_HITS, snippet: 1 })
    const ids = new Set(sessions.flatMap(({ hits }) => hits.map(({ entryId }) => entryId)))
    return { ids: [...ids], isMore, ...(isUpdating && { indexing: this.#progress ?? { done: 0, total: 0 } }) }
  }

  /** Starts an update if the session has changed, and gives it a moment to end. */
  async #refresh(): Promise<void> {
    if (!this.#update) {
      const state = stateOf(await this.#options.storage.stat(this.#options.key))
      if (state !== this.#indexedState && !this.#update) this.#update = this.#run(state)
    }
    if (this.#update) await Promise.race([this.#update, wait(PATIENCE, undefined, { ref: false })])
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }

  async #run(state: string): Promise<void> {
    const onProgress = ({ done, total }: IndexProgress): void => {
      this.#progress = { done, total }
    }
    try {
      await this.#options.search?.index.update({ signal: this.#closing, onProgress })
      this.#indexedState = state
    } catch (error) {
      if (!this.#closing.aborted) this.#failure = { error }
    } finally {
      this.#update = undefined
      this.#progress = undefined
    }
  }
}

function stateOf(stat: StorageStat | undefined): string {
  return JSON.stringify(stat ? [stat.size, stat.identity] : null)
}
