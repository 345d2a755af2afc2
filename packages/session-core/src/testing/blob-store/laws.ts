import type { BlobStore } from "../../ports/blob-store.js"
import { ok } from "../assert.js"
import { skip, type TestRunner } from "../runner.js"
import type { BlobStoreCandidate, BlobStoreSetup } from "./candidate.js"

/** What a law starts from: a fresh store, and what can be done beside it. */
export interface GivenBlobs {
  readonly store: BlobStore
  reopen(): Promise<BlobStore>
  damage(hash: string): Promise<void>
}

type Body = (given: GivenBlobs) => Promise<void>

/** Registers laws: each is a test with a store of its own. */
export class BlobLaws<Setup extends BlobStoreSetup = BlobStoreSetup> {
  readonly #runner: TestRunner
  readonly #candidate: BlobStoreCandidate<Setup>

  constructor(runner: TestRunner, candidate: BlobStoreCandidate<Setup>) {
    this.#runner = runner
    this.#candidate = candidate
  }

  about(idea: string, body: () => void): void {
    this.#runner.describe(idea, body)
  }

  law(name: string, body: Body): void {
    this.#runner.it(name, async () => {
      const setup = await this.#candidate.setup()
      try {
        await body(this.#given(setup))
      } finally {
        await setup.teardown()
      }
    })
  }

  /** A law for candidates that can do something beside the port; skipped for the others. */
  lawWhere(ability: "reopen" | "damage", name: string, body: Body): void {
    if (this.#candidate[ability] !== undefined) this.law(name, body)
    else skip(this.#runner, name, `the candidate has no ${ability}`)
  }

  #given(setup: Setup): GivenBlobs {
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
