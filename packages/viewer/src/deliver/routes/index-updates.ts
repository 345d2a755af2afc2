import type { IndexUpdateOptions } from "@treelog/session-core/search"
import type { ServedSessions, ServedSource } from "./served-sessions.js"

type IndexProgress = Parameters<NonNullable<IndexUpdateOptions["onProgress"]>>[0]

/** How long an answer waits for an index that is being brought up to date. Milliseconds. */
const PATIENCE = 300

/** What an update that has ended found is new enough for so long: a page asks again every second until it has ended. Milliseconds. */
const FRESH = 3_000

/** Brings the index of sessions up to date for those who ask it: one update at a time, whoever asks. */
export class IndexUpdates<From extends ServedSource = ServedSource> {
  readonly #sessions: ServedSessions<From>
  /** The sources that the last update could not read, and the codes of their errors. */
  faults: ReadonlyMap<From, string> = new Map()
  readonly #signal: AbortSignal | undefined
  /** The last update, until an answer has said that it has ended. */
  #update: Promise<void> | undefined
  #ended = Number.POSITIVE_INFINITY
  #progress: IndexProgress | undefined

  /** @param signal ends an update */
  constructor(sessions: ServedSessions<From>, signal?: AbortSignal) {
    this.#sessions = sessions
    this.#signal = signal
  }

  /**
   * Waits for the index, but not for long.
   * @returns how far it is; undefined when it is up to date
   * @throws the error of an update that failed
   */
  async settled(): Promise<Pick<IndexProgress, "done" | "total"> | undefined> {
    if (performance.now() - this.#ended > FRESH) this.#update = undefined
    this.#update ??= this.#start()
    const update = this.#update
    try {
      if (!(await Promise.race([update.then(() => true), later(PATIENCE)]))) {
        const { done = 0, total = 0 } = this.#progress ?? {}
        return { done, total }
      }
    } finally {
      if (this.#ended < Number.POSITIVE_INFINITY && this.#update === update) this.#update = undefined
    }
    return undefined
  }

  /** Resolves when nothing is written to the index any more. */
  async stopped(): Promise<void> {
    await this.#update?.catch(() => undefined)
  }

  #start(): Promise<void> {
    this.#ended = Number.POSITIVE_INFINITY
    this.#progress = undefined
    const update = this.#run()
    // The next request gets its error.
    update.catch(() => undefined)
    return update
  }

  async #run(): Promise<void> {
    const faults = new Map<From, string>()
    const { sources } = this.#sessions
    const sessions = this.#sessions.only(sources, (source, { code }) => void faults.set(source, code))
    try {
      await sessions.update({
        signal: this.#signal,
        onProgress: (progress) => {
          this.#progress = progress
        },
      })
      this.faults = faults
    } finally {
      this.#ended = performance.now()
    }
  }
}

function later(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds))
}
