import { textKind } from "../source/prompt-text.js"
import type { SourceRecord } from "../source/source-record.js"

/** The prompts that wait while a call runs, as lines of the kind `queue-operation` have them. */
export class PromptQueue {
  readonly #waiting: string[] = []

  /** What the user typed that a line takes out of the queue, to send it beside the results of the calls; undefined of any other line. */
  after(record: SourceRecord): string | undefined {
    // The value of a record is read from its file each time.
    const { operation, content } = record.role === "queue" ? record.value : {}
    const taken = this.#takenBy(operation, typeof content === "string" ? content : undefined)
    return taken?.trim() && textKind(taken) === "typed" ? taken : undefined
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
}
