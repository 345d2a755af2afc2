import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { messageOf } from "./source-record.js"

/** The requests that a file records: of each its model, what all share, what it goes on from, and messages that no other line has. */
export class Requests {
  readonly #whole = new Set<string>()
  readonly #shapes = new Set<unknown>()
  /** Messages of the system, by their digest. */
  readonly #systemMessages = new Set<unknown>()
  /** By model: whether it got messages of the system within a conversation. */
  readonly #getsSystem = new Map<string, boolean>()

  /** @param record of any kind */
  note(record: Json): void {
    switch (record.type) {
      case "api-request-shape":
        this.#shapes.add(record.shapeHash)
        break
      case "api-request-blob":
        if (messageOf(record).role === "system") this.#systemMessages.add(record.hash)
        break
      case "api-request":
        this.#noteRequest(record)
    }
  }

  #noteRequest({ id, shapeHash, base, tail, params }: Json): void {
    const isWhole = this.#shapes.has(shapeHash) && (base === undefined || this.#whole.has(String(base)))
    if (typeof id === "string" && isWhole) this.#whole.add(id)
    const model = textIn(objectIn({ params }, "params") ?? {}, "model")
    if (model === undefined || !Array.isArray(tail)) return
    const hasSystem = tail.some((digest) => this.#systemMessages.has(digest))
    if (hasSystem || !this.#getsSystem.has(model)) this.#getsSystem.set(model, hasSystem)
  }

  /** Whether the file has a request, all that it goes on from, and what all of them share. */
  has(id: unknown): boolean {
    return this.#whole.has(String(id))
  }

  /** Whether a model gets the client's reminders as words of the user, by its recorded requests. */
  remindsAsUser(model: string): boolean {
    return this.#getsSystem.get(model) === false
  }
}
