import type { StorageSupports } from "../../ports/session-storage.js"
import { skip, type TestRunner } from "../runner.js"
import type { SessionStorageCandidate } from "./candidate.js"
import { Fixture } from "./fixture.js"

/** Registers the tests of the contract; each gets a new storage. */
export class ContractTests {
  readonly supports: StorageSupports
  readonly #runner: TestRunner
  readonly #candidate: SessionStorageCandidate

  constructor(runner: TestRunner, candidate: SessionStorageCandidate) {
    this.supports = candidate.supports
    this.#runner = runner
    this.#candidate = candidate
  }

  describe(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  test(name: string, body: (fixture: Fixture) => Promise<void>): void {
    this.#runner.it(name, async () => {
      const setup = await this.#candidate.setup()
      const fixture = new Fixture(setup, this.#candidate.cwd ?? "/home/user/project")
      try {
        await body(fixture)
      } finally {
        await fixture.releaseAll()
        await setup.teardown()
      }
    })
  }

  /** Registers a test that needs a capability; skipped for storages without it. */
  testWhere(support: keyof StorageSupports, name: string, body: (fixture: Fixture) => Promise<void>): void {
    if (this.supports[support]) this.test(name, body)
    else skip(this.#runner, name, `supports.${support} is false`)
  }
}
