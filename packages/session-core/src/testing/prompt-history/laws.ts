import type { PromptIgnoreRules } from "../../ports/prompt-history.js"
import { skip, type TestRunner } from "../runner.js"
import type { PromptHistoryCandidate } from "./candidate.js"
import { Given, TestClock } from "./given.js"

/** Registers laws: each is a test with a history of its own, which knows no secrets unless the law says so. */
export class Laws {
  readonly #runner: TestRunner
  readonly #candidate: PromptHistoryCandidate

  constructor(runner: TestRunner, candidate: PromptHistoryCandidate) {
    this.#runner = runner
    this.#candidate = candidate
  }

  about(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  law(name: string, body: (given: Given) => Promise<void>, ignore: PromptIgnoreRules = {}): void {
    this.#runner.it(name, async () => {
      const clock = new TestClock()
      const errors: unknown[] = []
      const setup = await this.#candidate.setup({
        clock,
        ignore: { secrets: false, ...ignore },
        onError: (error) => errors.push(error),
      })
      const given = new Given(setup, clock, errors)
      try {
        await body(given)
      } finally {
        await given.closeAll()
        await setup.teardown()
      }
    })
  }

  /** A law for histories whose prompts outlive the object. */
  durableLaw(name: string, body: (given: Given) => Promise<void>): void {
    if (this.#candidate.durable) this.law(name, body)
    else skip(this.#runner, name, "durable is false")
  }
}
