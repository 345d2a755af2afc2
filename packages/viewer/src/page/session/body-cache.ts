import type { SessionEntry } from "@treelog/session-core"

/** Cache of the most recently used entry bodies, of limited size. */
export class BodyCache {
  readonly #bodies = new Map<number, { readonly entry: SessionEntry; readonly size: number }>()
  readonly #capacity: number
  #held = 0

  /** @param capacity in bytes of the stored entries */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(ordinal: number): SessionEntry | undefined {
    const found = this.#bodies.get(ordinal)
    if (!found) return undefined
    this.#bodies.delete(ordinal)
    this.#bodies.set(ordinal, found)
    return found.entry
  }

  set(ordinal: number, entry: SessionEntry, size: number): void {
    this.#bodies.set(ordinal, { entry, size })
    this.#held += size
    for (const [oldest, body] of this.#bodies) {
      if (this.#held <= this.#capacity || oldest === ordinal) return
      this.#bodies.delete(oldest)
      this.#held -= body.size
    }
  }
}
