import type { SessionEntry } from "@treelog/session-core"

/** The bodies that were asked for last, and no more bytes of them than fit. */
export class BodyCache {
  readonly #bodies = new Map<number, { readonly entry: SessionEntry; readonly size: number }>()
  readonly #room: number
  #held = 0

  /** @param room in bytes of the stored entries */
  constructor(room: number) {
    this.#room = room
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
      if (this.#held <= this.#room || oldest === ordinal) return
      this.#bodies.delete(oldest)
      this.#held -= body.size
    }
  }
}
