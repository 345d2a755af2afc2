import { isTreelogError } from "@treelog/session-core"
import { type FoldedTerm, foldTerms, parseQuery, type SearchQuery } from "@treelog/session-core/search"
import type { IndexAnswer } from "../../wire.js"
import type { PageSession } from "../session/page-session.js"
import { pause } from "../session/read-session.js"
import { searchEntries } from "../session/search-entries.js"
import type { SearchIndex } from "../source/session-source.js"

/** Further hits are counted, but not kept. */
const MOST_HITS = 2_000

/** The longest time of work without a pause. Milliseconds. */
const SLICE = 10

/** Time between two questions to an index that is being brought up to date. Milliseconds. */
const ASK_AGAIN = 1_000

/** A running or finished search in the session. */
export class Searching {
  readonly #notify: () => void
  #run = new AbortController()
  /** The text in the field; its search may not have started yet. */
  typed = ""
  /** The text that is searched for; empty without a search. */
  text = ""
  query: SearchQuery = {}
  /** The terms of the query, for highlighting. */
  terms: readonly FoldedTerm[] = []
  /** The entries that were found, in file order. */
  hits: readonly number[] = []
  /** Index of the current hit; -1 before the first. */
  at = -1
  /** The number of hits, including those that are not kept. */
  count = 0
  /** Whether there are hits that were not counted. */
  isMore = false
  isDone = true
  /** How far the index is that is being brought up to date. Sessions. */
  indexing: IndexAnswer["indexing"]
  /** Why the text is not a query. */
  fault: string | undefined
  /** Why the page searches by itself although it has an index. */
  indexFault: string | undefined

  constructor(notify: () => void) {
    this.#notify = notify
  }

  get isOn(): boolean {
    return this.text !== ""
  }

  clear(): void {
    this.typed = ""
    this.#forget()
  }

  #forget(): void {
    this.#run.abort()
    this.text = ""
    this.query = {}
    this.terms = []
    this.hits = []
    this.at = -1
    this.count = 0
    this.isMore = false
    this.isDone = true
    this.indexing = undefined
    this.fault = undefined
    this.indexFault = undefined
  }

  /** The index of the hit `step` hits further, wrapping around. -1 if there are none. */
  beside(step: number): number {
    const { length } = this.hits
    const from = this.at === -1 && step < 0 ? 0 : this.at
    return length === 0 ? -1 : (from + step + length) % length
  }

  /**
   * Starts a search, and stops a running one.
   * @param index finds the entries; without one, or if it has no answer, the page searches what it has loaded
   */
  async start(session: PageSession, text: string, index: SearchIndex | undefined): Promise<void> {
    this.#forget()
    const run = new AbortController()
    this.#run = run
    if (text.trim() !== "") this.#read(text)
    this.#notify()
    if (!this.isOn || this.fault !== undefined) return
    this.isDone = false
    const isAnswered = index !== undefined && (await this.#askIndex(session, index, run.signal))
    if (!isAnswered && !run.signal.aborted) await this.#searchPage(session, run.signal)
    if (run.signal.aborted) return
    this.isDone = true
    this.#notify()
  }

  /** Parses the query; one that is still being typed may be none. */
  #read(text: string): void {
    this.text = text
    try {
      this.query = parseQuery(text, Date.now())
      this.terms = foldTerms(this.query.terms)
    } catch (error) {
      if (!isTreelogError(error, "InvalidArgumentError")) throw error
      this.fault = error.message
    }
  }

  /** @returns whether the index has answered for the whole session */
  async #askIndex(session: PageSession, index: SearchIndex, signal: AbortSignal): Promise<boolean> {
    try {
      while (!signal.aborted) {
        const answer = await index(this.text, signal)
        if (signal.aborted || !answer) return false
        this.#show(session, answer)
        if (!answer.indexing) return true
        this.#notify()
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN))
      }
    } catch (error) {
      if (signal.aborted) return false
      this.indexFault = error instanceof Error ? error.message : String(error)
    }
    this.indexing = undefined
    return false
  }

  #show(session: PageSession, { ids, isMore, indexing }: IndexAnswer): void {
    const current = this.hits[this.at]
    this.hits = ids.flatMap((id) => session.tree.ordinalOf(id) ?? []).sort((a, b) => a - b)
    this.at = current === undefined ? -1 : this.hits.indexOf(current)
    this.count = this.hits.length
    this.isMore = isMore
    this.indexing = indexing
  }

  async #searchPage(session: PageSession, signal: AbortSignal): Promise<void> {
    const hits: number[] = []
    this.hits = hits
    this.count = 0
    let sliceEnd = performance.now() + SLICE
    for (const hit of searchEntries(session, this.query)) {
      if (hit !== undefined) {
        this.count += 1
        if (hits.length < MOST_HITS) hits.push(hit)
      }
      if (performance.now() < sliceEnd) continue
      this.#notify()
      await pause()
      if (signal.aborted) return
      sliceEnd = performance.now() + SLICE
    }
  }
}
