import { MemoryBlobStore } from "@treelog/session-core"
import { UsageError } from "../errors/usage-error.js"

/** In place of the blobs of a store that has none: nothing is there, and nothing can be stored. */
export class NoBlobs extends MemoryBlobStore {
  readonly #advice: string

  /** @param advice how to name a place */
  constructor(advice: string) {
    super()
    this.#advice = advice
  }

  /** @throws UsageError */
  override async put(): Promise<never> {
    throw new UsageError(`The session refers to blobs, which need a place: ${this.#advice}.`)
  }
}
