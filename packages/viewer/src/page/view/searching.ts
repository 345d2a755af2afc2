import type { PageSession } from "../session/page-session.js"
import { pause } from "../session/read-session.js"
import { type SearchHit, searchEntries } from "../session/search-entries.js"

/** Further hits are counted, but not kept. */
const MOST_HITS = 2_000

/** The longest time of work without a pause. Milliseconds. */
const SLICE = 10

/** A running or finished search in the session. */
export class Searching {
  readonly #notify: () => void
  #run = 0
  /** The text in the field; its search may not have started yet. */
  typed = ""
  query = ""
  hits: SearchHit[] = []
  /** Index of the current hit; -1 before the first. */
  at = -1
  /** The number of hits, including those that are not kept. */
  count = 0
  isDone = true

  constructor(notify: () => void) {
    this.#notify = notify
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

  /** The index of the hit `step` hits further, wrapping around. -1 if there are none. */
  beside(step: number): number {
    const { length } = this.hits
    const from = this.at === -1 && step < 0 ? 0 : this.at
    return length === 0 ? -1 : (from + step + length) % length
  }

  /** Starts a search, and stops a running one. */
  async start(session: PageSession, query: string): Promise<void> {
    this.#forget()
    const run = this.#run
    this.query = query.trim() === "" ? "" : query
    this.#notify()
    if (!this.isOn) return
    this.isDone = false
    let sliceEnd = performance.now() + SLICE
    for (const hit of searchEntries(session, this.query)) {
      if (hit) {
        this.count += 1
        if (this.hits.length < MOST_HITS) this.hits.push(hit)
      }
      if (performance.now() < sliceEnd) continue
      this.#notify()
      await pause()
      if (run !== this.#run) return
      sliceEnd = performance.now() + SLICE
    }
    this.isDone = true
    this.#notify()
  }
}
