import type { StorageSupports } from "../../ports/session-storage.js"
import { skip, type TestRunner } from "../runner.js"
import type { SessionStorageCandidate } from "./candidate.js"
import { Given } from "./given.js"

/** Registers laws: each is a test with a storage of its own. */
export class Laws {
  readonly supports: StorageSupports
  readonly #runner: TestRunner
  readonly #candidate: SessionStorageCandidate

  constructor(runner: TestRunner, candidate: SessionStorageCandidate) {
    this.supports = candidate.supports
    this.#runner = runner
    this.#candidate = candidate
  }

  about(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  law(name: string, body: (given: Given) => Promise<void>): void {
    this.#runner.it(name, async () => {
      const setup = await this.#candidate.setup()
      const given = new Given(setup, this.#candidate.cwd ?? "/home/user/project")
      try {
        await body(given)
      } finally {
        await given.releaseAll()
        await setup.teardown()
      }
    })
  }

  /** A law for storages that support something; skipped for the others. */
  lawWhere(support: keyof StorageSupports, name: string, body: (given: Given) => Promise<void>): void {
    if (this.supports[support]) this.law(name, body)
    else skip(this.#runner, name, `supports.${support} is false`)
  }
}
