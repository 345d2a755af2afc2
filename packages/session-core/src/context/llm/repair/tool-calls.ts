import type { ToolCall } from "../../../entry/content.js"
import type { ToolResultMessage } from "../../../entry/message.js"
import { messagePart } from "../message-part.js"
import type { PlacedMessage } from "./placed-message.js"

/** A call and its result, if one was found. */
export interface CallToPair {
  readonly block: ToolCall
  readonly caller: PlacedMessage
  /** The call's id after the repair: its own, or a new one when an earlier call has that. */
  readonly id: string
  answer: PlacedMessage | undefined
}

/** The calls of a history whose content is repaired, each with its result. */
export class ToolCalls {
  readonly #byCaller = new Map<PlacedMessage, CallToPair[]>()
  readonly #byAnswer = new Map<PlacedMessage, CallToPair>()

  constructor(placed: readonly PlacedMessage[]) {
    const ids = new CallIds(placed)
    // A result belongs to the nearest earlier call with its id; of several in one message, to the first without a result.
    const nearest = new Map<string, CallToPair[]>()
    for (const one of placed) {
      const part = messagePart(one.message)
      if (part === "assistant") {
        const calls = callBlocks(one).map((block) => ({
          block,
          caller: one,
          id: ids.next(block.id),
          answer: undefined,
        }))
        this.#byCaller.set(one, calls)
        for (const { block } of calls) nearest.set(block.id, calls)
      } else if (part === "result") this.#answer(one, nearest)
    }
  }

  /** The calls of a message, in its order. */
  of(caller: PlacedMessage): readonly CallToPair[] {
    return this.#byCaller.get(caller) ?? []
  }

  /** The call that a result belongs to; undefined for a result without a call and for a second result. */
  answeredBy(result: PlacedMessage): CallToPair | undefined {
    return this.#byAnswer.get(result)
  }

  #answer(result: PlacedMessage, nearest: ReadonlyMap<string, readonly CallToPair[]>): void {
    const { toolCallId } = result.message as ToolResultMessage
    const call = nearest.get(toolCallId)?.find(({ block, answer }) => block.id === toolCallId && answer === undefined)
    if (!call) return
    call.answer = result
    this.#byAnswer.set(result, call)
  }
}

function callBlocks({ message }: PlacedMessage): ToolCall[] {
  const content = "content" in message ? message.content : undefined
  return Array.isArray(content) ? content.filter((block) => block.type === "toolCall") : []
}

/** Gives each call a unique id: providers reject requests in which two calls share one. */
class CallIds {
  readonly #taken: Set<string>
  readonly #used = new Set<string>()

  constructor(placed: readonly PlacedMessage[]) {
    const callers = placed.filter(({ message }) => messagePart(message) === "assistant")
    this.#taken = new Set(callers.flatMap(callBlocks).map(({ id }) => id))
  }

  next(id: string): string {
    const free = this.#used.has(id) ? this.#freeIdLike(id) : id
    this.#used.add(free)
    this.#taken.add(free)
    return free
  }

  /** Inserts a number before the `|` of `call_1|fc_1`, since providers see only the part before it. */
  #freeIdLike(id: string): string {
    const bar = id.indexOf("|")
    const [head, tail] = bar < 0 ? [id, ""] : [id.slice(0, bar), id.slice(bar)]
    let number = 2
    while (this.#taken.has(`${head}_${number}${tail}`)) number++
    return `${head}_${number}${tail}`
  }
}
