import type { PromptIgnoreRules } from "../../ports/prompt-history.js"
import { skip, type TestRunner } from "../runner.js"
import type { PromptHistoryCandidate } from "./candidate.js"
import { Fixture, TestClock } from "./fixture.js"

/** Registers the tests of the contract; each gets a new history, which detects no secrets unless the test asks for it. */
export class ContractTests {
  readonly #runner: TestRunner
  readonly #candidate: PromptHistoryCandidate

  constructor(runner: TestRunner, candidate: PromptHistoryCandidate) {
    this.#runner = runner
    this.#candidate = candidate
  }

  describe(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  test(name: string, body: (fixture: Fixture) => Promise<void>, ignore: PromptIgnoreRules = {}): void {
    this.#runner.it(name, async () => {
      const clock = new TestClock()
      const errors: unknown[] = []
      const setup = await this.#candidate.setup({
        clock,
        ignore: { secrets: false, ...ignore },
        onError: (error) => errors.push(error),
      })
      const fixture = new Fixture(setup, clock, errors)
      try {
        await body(fixture)
      } finally {
        await fixture.closeAll()
        await setup.teardown()
      }
    })
  }

  /** Registers a test for histories whose prompts outlive the object. */
  durableTest(name: string, body: (fixture: Fixture) => Promise<void>): void {
    if (this.#candidate.durable) this.test(name, body)
    else skip(this.#runner, name, "durable is false")
  }
}
