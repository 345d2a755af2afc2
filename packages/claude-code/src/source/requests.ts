import { contentText } from "@treelog/session-core"
import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { userContent } from "../entries/content.js"
import { messageOf } from "./source-record.js"

/** The requests that a file records: of each its model, what all share, what it goes on from, and messages that no other line has. */
export class Requests {
  readonly #whole = new Set<string>()
  readonly #shapes = new Set<unknown>()
  /** Whether messages of the system have their reminders in tags, by the digest of the message. */
  readonly #systemMessages = new Map<unknown, boolean>()
  readonly #reminders = new Map<string, Reminders>()

  /** @param record of any kind */
  note(record: Json): void {
    switch (record.type) {
      case "api-request-shape":
        this.#shapes.add(record.shapeHash)
        break
      case "api-request-blob":
        this.#noteMessage(record.hash, messageOf(record))
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
    const digest = tail.find((one) => this.#systemMessages.has(one))
    if (digest !== undefined) this.#reminders.set(model, this.#systemMessages.get(digest) ? "joined" : "system")
    else if (!this.#reminders.has(model)) this.#reminders.set(model, "user")
  }

  #noteMessage(hash: unknown, { role, content }: Json): void {
    if (role === "system")
      this.#systemMessages.set(hash, contentText(userContent(content)).startsWith("<system-reminder>"))
  }

  /** Whether the file has a request, all that it goes on from, and what all of them share. */
  has(id: unknown): boolean {
    return this.#whole.has(String(id))
  }

  /** How a model gets the client's reminders, by its recorded requests: as messages of the system, with their tags or without, or as the user's words. */
  remindersOf(model: string): Reminders | undefined {
    return this.#reminders.get(model)
  }
}

type Reminders = "system" | "joined" | "user"
