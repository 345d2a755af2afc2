import type { Clock } from "../../ports/clock.js"
import type { ImportedPrompt, PromptHistory, PromptListOptions, PromptOrigin } from "../../ports/prompt-history.js"
import { equal, ok } from "../assert.js"
import type { PromptHistorySetup } from "./candidate.js"

const START = Date.UTC(2026, 2, 7, 14)

/** A clock that advances by a minute at each call. */
export class TestClock implements Clock {
  #now = START

  now(): number {
    this.#now += 60_000
    return this.#now
  }
}

/** The input of a test: a new history, with shortcuts to fill and check it. */
export class Fixture {
  readonly history: PromptHistory
  readonly clock: Clock
  /** The errors that `onError` was called with. */
  readonly errors: readonly unknown[]
  readonly #setup: PromptHistorySetup
  readonly #opened: PromptHistory[]

  constructor(setup: PromptHistorySetup, clock: Clock, errors: readonly unknown[]) {
    this.history = setup.history
    this.clock = clock
    this.errors = errors
    this.#setup = setup
    this.#opened = [setup.history]
  }

  // Arrow functions, so that tests can destructure the ones they use.

  /** Adds prompts, a minute apart. */
  readonly add = (texts: readonly string[], origin?: PromptOrigin): void => {
    for (const text of texts) this.history.add(text, origin)
  }

  /** Asserts which texts `recent` returns, newest first. */
  readonly holds = async (texts: readonly string[], options?: PromptListOptions): Promise<void> => {
    const prompts = await this.history.recent(options)
    equal(
      prompts.map(({ text }) => text),
      texts,
      `the prompts of ${JSON.stringify(options ?? "all")}`,
    )
  }

  /** Asserts which texts a search returns, newest first. */
  readonly finds = async (query: string, texts: readonly string[], options?: PromptListOptions): Promise<void> => {
    const prompts = await this.history.search(query, options)
    equal(
      prompts.map(({ text }) => text),
      texts,
      `what ${JSON.stringify(query)} finds`,
    )
  }

  /** The id of a prompt with this text. */
  readonly idOf = async (text: string): Promise<number> => {
    const prompt = (await this.history.recent()).find((recent) => recent.text === text)
    ok(prompt !== undefined, `the history holds ${JSON.stringify(text)}`)
    return prompt.id
  }

  readonly reopen = async (): Promise<PromptHistory> => {
    ok(this.#setup.reopen !== undefined, "setup() gives `reopen` where the history is durable")
    const history = await this.#setup.reopen()
    this.#opened.push(history)
    return history
  }

  /** Closes all histories. Those that the test has closed may fail. */
  readonly closeAll = async (): Promise<void> => {
    await Promise.allSettled(this.#opened.map((history) => history.close()))
  }
}

/** A prompt of the past: `minute` minutes after the start of a day long before the clock's time. */
export function past(text: string, minute: number, origin: PromptOrigin = {}): ImportedPrompt {
  return { text, createdAt: Date.UTC(2025, 0, 1) + minute * 60_000, ...origin }
}
