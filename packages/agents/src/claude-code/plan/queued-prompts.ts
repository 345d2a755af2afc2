import type { Node } from "../link/node.js"
import { textKind, typedText } from "../source/prompt-text.js"
import type { SourceRecord } from "../source/source-record.js"

/** A prompt that left the queue and stands nowhere else: the model got it with the results before its next reply. */
export interface QueuedPrompt {
  readonly record: SourceRecord
  readonly prompt: string
  readonly at: number
}

/** The prompts that wait while a call runs, as lines of the kind `queue-operation` and attachments have them. */
export class QueuedPrompts {
  readonly #waiting: string[]
  /** By position of a record: how many lines of replies were before it. What was sent with the same request has the same number. */
  readonly #replies: number[] = []
  /** Of prompts, also of those that waited: the position of the last record that has the text, by request and text. */
  readonly #prompts = new Map<string, number>()
  readonly #sent: QueuedPrompt[] = []

  /** @param waiting those that were there before */
  constructor(records: readonly SourceRecord[], waiting: readonly string[] = []) {
    this.#waiting = [...waiting]
    let replies = 0
    for (const [at, { role, text }] of records.entries()) {
      if (role === "reply") replies += 1
      this.#replies.push(replies)
      if (text !== undefined) this.#prompts.set(this.#sentAs(at, text), at)
    }
  }

  /** Whether the prompt that waited stands in the file again, as a line of the user. */
  isRepeated({ at, record: { text = "" } }: Node): boolean {
    return (this.#prompts.get(this.#sentAs(at, text)) ?? -1) > at
  }

  /** Whether a line takes a prompt out of the queue, to send it beside the results of the calls, that stands nowhere else. */
  sends(record: SourceRecord, at: number): boolean {
    // The value of a record is read from its file each time.
    const { operation, content } = record.role === "queue" ? record.value : {}
    const prompt = this.#takenBy(operation, typeof content === "string" ? content : undefined)
    if (!prompt?.trim() || textKind(typedText(prompt)) !== "typed" || this.#prompts.has(this.#sentAs(at, prompt)))
      return false
    this.#sent.push({ record, prompt, at })
    return true
  }

  /** Undefined where one was sent and has no entry yet. */
  get waiting(): readonly string[] | undefined {
    return this.#sent.length === 0 ? [...this.#waiting] : undefined
  }

  /** Those that were sent since the last call. */
  takeSent(): QueuedPrompt[] {
    return this.#sent.splice(0)
  }

  /** Those that begin a turn (`dequeue`) stand in the file again, and those that the user took back (`popAll`) were not sent. */
  #takenBy(operation: unknown, text: string | undefined): string | undefined {
    if (operation === "enqueue") this.#waiting.push(text ?? "")
    else if (operation === "dequeue") this.#waiting.shift()
    else if (operation === "popAll") this.#waiting.length = 0
    else if (operation === "remove") {
      const at = text === undefined ? 0 : this.#waiting.indexOf(text)
      const [taken = text] = at < 0 ? [] : this.#waiting.splice(at, 1)
      return taken
    }
    return undefined
  }

  #sentAs(at: number, text: string): string {
    return `${this.#replies[at]} ${text.trim()}`
  }
}
