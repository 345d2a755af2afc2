import type { Clock } from "../../ports/clock.js"
import type { ImportedPrompt, PromptHistory, PromptListOptions, PromptOrigin } from "../../ports/prompt-history.js"
import { equal, ok } from "../assert.js"
import type { PromptHistorySetup } from "./candidate.js"

const START = Date.UTC(2026, 2, 7, 14)

/** A clock that goes on by a minute each time that it is asked. */
export class TestClock implements Clock {
  #now = START

  now(): number {
    this.#now += 60_000
    return this.#now
  }
}

/** What a test starts from: a fresh history, and short ways to fill it and to look into it. */
export class Fixture {
  readonly history: PromptHistory
  readonly clock: Clock
  /** What `onError` was called with. */
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

  // Arrow functions, so that a test can take out of its hand just what it uses.

  /** Adds prompts, a minute apart. */
  readonly add = (texts: readonly string[], origin?: PromptOrigin): void => {
    for (const text of texts) this.history.add(text, origin)
  }

  /** Asserts what the newest prompts are, newest first. */
  readonly holds = async (texts: readonly string[], options?: PromptListOptions): Promise<void> => {
    const prompts = await this.history.recent(options)
    equal(
      prompts.map(({ text }) => text),
      texts,
      `the prompts of ${JSON.stringify(options ?? "all")}`,
    )
  }

  /** Asserts what a query finds, newest first. */
  readonly finds = async (query: string, texts: readonly string[], options?: PromptListOptions): Promise<void> => {
    const prompts = await this.history.search(query, options)
    equal(
      prompts.map(({ text }) => text),
      texts,
      `what ${JSON.stringify(query)} finds`,
    )
  }

  /** The id that a prompt of this text has. */
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

  /** Also what the test closed: closing it again may fail. */
  readonly closeAll = async (): Promise<void> => {
    await Promise.allSettled(this.#opened.map((history) => history.close()))
  }
}

/** A prompt of the past, so many minutes after the beginning of a day long before the clock's. */
export function past(text: string, minute: number, origin: PromptOrigin = {}): ImportedPrompt {
  return { text, createdAt: Date.UTC(2025, 0, 1) + minute * 60_000, ...origin }
}
