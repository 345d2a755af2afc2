import { type SessionIndex, SessionIndexer } from "../../log/session-index.js"
import { assemble, type Part } from "../../log/splice.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { Source } from "../reader/assembled.js"
import { isIndexUsed } from "../reader/load-stored.js"

/** New content that is made of what is stored, and its index, which is made of each piece while the one before is written. */
export class IndexedParts {
  readonly #storage: SessionStorage
  readonly #parts: Iterable<Part>
  readonly #source: Source
  readonly #indexer: SessionIndexer
  #isIndexed: boolean

  /** @param key of the new content, named in errors */
  constructor(storage: SessionStorage, key: string, parts: Iterable<Part>, source: Source) {
    this.#storage = storage
    this.#parts = parts
    this.#source = source
    this.#indexer = new SessionIndexer(key)
    this.#isIndexed = isIndexUsed(storage)
  }

  /** To be gone through once. */
  chunks(): AsyncGenerator<Uint8Array> {
    const { from, identity } = this.#source
    return assemble(
      this.#parts,
      (offset, length) => this.#storage.readRange(from, offset, length, identity),
      (bytes) => {
        this.#isIndexed &&= this.#indexer.push(bytes)
      },
    )
  }

  /** Of the whole content, once all of it was written; undefined where it has to be read. */
  index(): SessionIndex | undefined {
    return this.#isIndexed ? this.#indexer.finish() : undefined
  }
}
