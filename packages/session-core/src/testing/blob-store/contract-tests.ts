import type { BlobStore } from "../../ports/blob-store.js"
import { ok } from "../assert.js"
import { skip, type TestRunner } from "../runner.js"
import type { BlobStoreCandidate, BlobStoreSetup } from "./candidate.js"

/** The input of a test: a new store, and operations beside it. */
export interface BlobFixture {
  readonly store: BlobStore
  reopen(): Promise<BlobStore>
  damage(hash: string): Promise<void>
}

type Body = (fixture: BlobFixture) => Promise<void>

/** Registers the tests of the contract; each gets a new store. */
export class BlobContractTests<Setup extends BlobStoreSetup = BlobStoreSetup> {
  readonly #runner: TestRunner
  readonly #candidate: BlobStoreCandidate<Setup>

  constructor(runner: TestRunner, candidate: BlobStoreCandidate<Setup>) {
    this.#runner = runner
    this.#candidate = candidate
  }

  describe(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  test(name: string, body: Body): void {
    this.#runner.it(name, async () => {
      const setup = await this.#candidate.setup()
      try {
        await body(this.#fixture(setup))
      } finally {
        await setup.teardown()
      }
    })
  }

  /** Registers a test that needs `reopen` or `damage`; skipped for candidates without it. */
  testWhere(ability: "reopen" | "damage", name: string, body: Body): void {
    if (this.#candidate[ability] !== undefined) this.test(name, body)
    else skip(this.#runner, name, `the candidate has no ${ability}`)
  }

  #fixture(setup: Setup): BlobFixture {
    const candidate = this.#candidate
    return {
      store: setup.store,
      reopen: async () => {
        ok(candidate.reopen !== undefined, "the candidate has `reopen`")
        return candidate.reopen(setup)
      },
      damage: async (hash) => {
        ok(candidate.damage !== undefined, "the candidate has `damage`")
        await candidate.damage(setup, hash)
      },
    }
  }
}
