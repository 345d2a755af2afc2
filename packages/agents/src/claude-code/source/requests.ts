import { contentText } from "@treelog/session-core"
import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { userContent } from "../entries/content.js"
import { messageOf } from "./source-record.js"

/** The requests that a file records: of each its model, what all share, what it goes on from, and messages that no other line has. */
export class Requests {
  /** Those that are there with all that they go on from: the digests of the messages that each adds. */
  readonly #whole = new Map<string, { readonly tail: ReadonlySet<unknown>; readonly base: string | undefined }>()
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
    if (typeof id === "string" && isWhole)
      this.#whole.set(id, {
        tail: new Set(Array.isArray(tail) ? tail : []),
        base: base === undefined ? undefined : String(base),
      })
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

  get isEmpty(): boolean {
    return this.#whole.size === 0
  }

  /**
   * Whether the file has a request, all that it goes on from, and what all of them share, and the request has the reply before it as it is sent.
   * @param before the digests that this reply may have; undefined where no reply is before it
   */
  has(id: unknown, before: readonly string[] | undefined): boolean {
    const found = this.#whole.get(String(id))
    if (!found || !before) return found !== undefined
    for (
      let at: typeof found | undefined = found;
      at;
      at = at.base === undefined ? undefined : this.#whole.get(at.base)
    )
      if (before.some((digest) => at?.tail.has(digest))) return true
    return false
  }

  /** How a model gets the client's reminders, by its recorded requests: as messages of the system, with their tags or without, or as the user's words. */
  remindersOf(model: string): Reminders | undefined {
    return this.#reminders.get(model)
  }
}

type Reminders = "system" | "joined" | "user"
