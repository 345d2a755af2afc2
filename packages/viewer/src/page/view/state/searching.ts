import { isTreelogError } from "@treelog/session-core"
import { foldTerms, parseQuery, type SearchQuery } from "@treelog/session-core/search"
import type { PageSession } from "../../session/page-session.js"
import { pause } from "../../session/read-session.js"
import { searchEntries } from "../../session/search-entries.js"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

/** Further hits are counted, but not kept. */
const MOST_HITS = 2_000

/** The longest time of work without a pause. Milliseconds. */
const SLICE = 10

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
  isDone = true
  /** Why the text is not a query. */
  fault: string | undefined

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
    this.isDone = true
    this.fault = undefined
  }

  /** The index of the hit `step` hits further, wrapping around. -1 if there are none. */
  beside(step: number): number {
    const { length } = this.hits
    const from = this.at === -1 && step < 0 ? 0 : this.at
    return length === 0 ? -1 : (from + step + length) % length
  }

  /** Starts a search in what the page has loaded, and stops a running one. */
  async start(session: PageSession, text: string): Promise<void> {
    this.#forget()
    const run = new AbortController()
    this.#run = run
    if (text.trim() !== "") this.#read(text)
    this.#notify()
    if (!this.isOn || this.fault !== undefined) return
    this.isDone = false
    const hits: number[] = []
    this.hits = hits
    let sliceEnd = performance.now() + SLICE
    for (const hit of searchEntries(session, this.query)) {
      if (hit !== undefined) {
        this.count += 1
        if (hits.length < MOST_HITS) hits.push(hit)
      }
      if (performance.now() < sliceEnd) continue
      this.#notify()
      await pause()
      if (run.signal.aborted) return
      sliceEnd = performance.now() + SLICE
    }
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
}
