import type { PageSession } from "../session/page-session.js"
import { pause } from "../session/read-session.js"
import { type SearchHit, searchEntries } from "../session/search-entries.js"

/** More hits than that are counted, but not kept. */
const MOST_HITS = 2_000

/** For so long the page is held up at a time. Milliseconds. */
const SLICE = 10

/** A search in the session, as it goes on. */
export class Searching {
  readonly #told: () => void
  #run = 0
  /** What stands in the field; the search for it may not have begun yet. */
  typed = ""
  query = ""
  hits: SearchHit[] = []
  /** Which of the hits one is at, from 0; -1 before the first. */
  at = -1
  /** Also those that are not kept. */
  count = 0
  isDone = true

  constructor(told: () => void) {
    this.#told = told
  }

  get isOn(): boolean {
    return this.query !== ""
  }

  clear(): void {
    this.typed = ""
    this.#forget()
  }

  #forget(): void {
    this.#run += 1
    this.query = ""
    this.hits = []
    this.at = -1
    this.count = 0
    this.isDone = true
  }

  /** The hit so many steps on; behind the last comes the first. -1 where there are none. */
  beside(step: number): number {
    const { length } = this.hits
    const from = this.at === -1 && step < 0 ? 0 : this.at
    return length === 0 ? -1 : (from + step + length) % length
  }

  /** Begins anew; a search that goes on still is given up. */
  async start(session: PageSession, query: string): Promise<void> {
    this.#forget()
    const run = this.#run
    this.query = query.trim() === "" ? "" : query
    this.#told()
    if (!this.isOn) return
    this.isDone = false
    let sliceEnd = performance.now() + SLICE
    for (const hit of searchEntries(session, this.query)) {
      if (hit) {
        this.count += 1
        if (this.hits.length < MOST_HITS) this.hits.push(hit)
      }
      if (performance.now() < sliceEnd) continue
      this.#told()
      await pause()
      if (run !== this.#run) return
      sliceEnd = performance.now() + SLICE
    }
    this.isDone = true
    this.#told()
  }
}
