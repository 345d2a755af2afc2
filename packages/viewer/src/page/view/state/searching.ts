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
  /** The text that is searched for; empty without a search. */
  readonly text: string
  readonly query: SearchQuery = {}
  /** The terms of the query, for highlighting. */
  readonly terms: readonly FoldedTerm[] = []
  /** The entries that were found, in file order. */
  readonly hits: number[] = []
  /** Index of the current hit; -1 before the first. */
  at = -1
  /** The number of hits, including those that are not kept. */
  count = 0
  isDone = true
  /** Why the text is not a query: it may still be typed. */
  readonly fault: string | undefined
  #isStopped = false

  constructor(text = "") {
    this.text = text.trim() === "" ? "" : text
    if (!this.isOn) return
    try {
      this.query = parseQuery(text, Date.now())
      this.terms = foldTerms(this.query.terms)
    } catch (error) {
      if (!isTreelogError(error, "InvalidArgumentError")) throw error
      this.fault = error.message
    }
  }

  get isOn(): boolean {
    return this.text !== ""
  }

  stop(): void {
    this.#isStopped = true
  }

  /** The index of the hit `step` hits further, wrapping around. -1 if there are none. */
  beside(step: number): number {
    const { length } = this.hits
    const from = this.at === -1 && step < 0 ? 0 : this.at
    return length === 0 ? -1 : (from + step + length) % length
  }

  /** Searches what the page has loaded. @param notify called when there is more */
  async run(session: PageSession, notify: () => void): Promise<void> {
    if (!this.isOn || this.fault !== undefined) return
    this.isDone = false
    let sliceEnd = performance.now() + SLICE
    for (const hit of searchEntries(session, this.query)) {
      if (hit !== undefined) {
        this.count += 1
        if (this.hits.length < MOST_HITS) this.hits.push(hit)
      }
      if (performance.now() < sliceEnd) continue
      notify()
      await pause()
      if (this.#isStopped) return
      sliceEnd = performance.now() + SLICE
    }
    this.isDone = true
    notify()
  }
}
