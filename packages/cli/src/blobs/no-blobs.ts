import { type BlobStore, TreelogError } from "@treelog/session-core"
import { UsageError } from "../errors/usage-error.js"

/** In place of the blobs of a store that has none: nothing is there, and nothing can be stored. */
export class NoBlobs implements BlobStore {
  readonly #advice: string

  /** @param advice how to name a place */
  constructor(advice: string) {
    this.#advice = advice
  }

  /** @throws UsageError */
  async put(): Promise<string> {
    throw new UsageError(`The session refers to blobs, which need a place: ${this.#advice}.`)
  }

  async get(): Promise<undefined> {}

  async has(): Promise<boolean> {
    return false
  }

  async size(): Promise<undefined> {}

  async *list(): AsyncGenerator<never> {}

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *openRead(hash: string): AsyncGenerator<never> {
    throw new TreelogError("BlobNotFoundError", `There is no blob ${hash}.`, { hash })
  }
}
