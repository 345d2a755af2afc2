import { messagePart, toolCalls } from "../../context/message-part.js"
import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "../../entry/message.js"
import { valueText } from "../../entry/values.js"
import type { NoteAt } from "./context-change.js"

/** A message during a repair, with its index in the input. */
export interface PlacedMessage {
  readonly index: number
  readonly message: Message
}

/** A call, in the place where its result belongs. */
interface Call {
  readonly block: ToolCall
  readonly caller: PlacedMessage
  /** The call's id after the repair: its own, or a new one when an earlier call has that. */
  readonly id: string
  result?: PlacedMessage
  isMoved?: boolean
}

/** Moves exactly one result for each call to right after the message with the call. Messages that no model gets are not moved. */
export function pairResults(placed: readonly PlacedMessage[], note: NoteAt): PlacedMessage[] {
  const idOf = callIds(placed)
  /** What makes each message of the result, in its order, once it is known which result each call has. */
  const paired: (() => PlacedMessage | undefined)[] = []
  // A result belongs to the nearest earlier call with its id; of several in one message, to the first without a result.
  const nearest = new Map<string, readonly Call[]>()
  /** The calls of the last answer whose results can still follow it. */
  let open: readonly Call[] = []
  const close = (): void => {
    for (const call of open) paired.push(() => resultOf(call, note))
  }
  for (const one of placed) {
    const part = messagePart(one.message)
    if (part === "none") paired.push(() => one)
    else if (part === "result") {
      const { toolCallId } = one.message as ToolResultMessage
      const call = nearest.get(toolCallId)?.find(({ block, result }) => block.id === toolCallId && !result)
      if (!call) paired.push(() => withoutCall(one, note))
      else {
        call.result = one
        call.isMoved = !open.includes(call)
        if (!call.isMoved) paired.push(() => resultOf(call, note))
        open = open.filter((other) => other !== call)
      }
    } else {
      close()
      const calls: readonly Call[] = toolCalls(one.message).map((block) => ({ block, caller: one, id: idOf(block.id) }))
      for (const { block } of calls) nearest.set(block.id, calls)
      paired.push(() => withIds(one, calls, note))
      open = calls
    }
  }
  close()
  return paired.flatMap((make) => make() ?? [])
}

function withoutCall({ index, message }: PlacedMessage, note: NoteAt): undefined {
  const id = valueText((message as ToolResultMessage).toolCallId)
  note("result-removed", index, `The result of ${id} has no call without a result, so it was removed.`)
}

/**
 * Gives each call a unique id: providers reject requests in which two calls share one. A number is inserted before the `|` of
 * `call_1|fc_1`, since providers see only the part before it.
 */
function callIds(placed: readonly PlacedMessage[]): (id: string) => string {
  const taken = new Set(placed.flatMap(({ message }) => toolCalls(message)).map(({ id }) => id))
  const used = new Set<string>()
  return (id) => {
    const [, head, tail] = /^([^|]*)(.*)$/s.exec(id) ?? []
    let free = id
    for (let number = 2; used.has(id) && taken.has(free); number++) free = `${head}_${number}${tail}`
    used.add(free)
    taken.add(free)
    return free
  }
}

/** The answer with the new ids of its calls. */
function withIds(caller: PlacedMessage, calls: readonly Call[], note: NoteAt): PlacedMessage {
  const renamed = calls.filter(({ block, id }) => block.id !== id)
  if (renamed.length === 0) return caller
  for (const { block, id } of renamed)
    note("call-renamed", caller.index, `Call ${block.id} had the id of an earlier one; it is ${id} now.`)
  const ids = new Map<unknown, string>(renamed.map(({ block, id }) => [block, id]))
  const { content, ...message } = caller.message as AssistantMessage
  const blocks = content.map((block) => (ids.has(block) ? { ...block, id: ids.get(block) } : block))
  return { index: caller.index, message: { ...message, content: blocks } }
}

/** The result of a call, with its id and tool name; one that says that the call was interrupted if it has none. */
function resultOf({ id, block, caller, result, isMoved }: Call, note: NoteAt): PlacedMessage {
  if (!result) {
    note("result-added", caller.index, `Call ${id} had no result; it got one that says that it was interrupted.`)
    const text = "[The tool call was interrupted: it has no result.]"
    const content = [{ type: "text" as const, text }]
    const called = { toolCallId: id, toolName: block.name }
    const timestamp = timestampOf(caller)
    return { index: caller.index, message: { role: "toolResult", ...called, content, isError: true, timestamp } }
  }
  const { index } = result
  const { toolCallId, toolName } = result.message as ToolResultMessage
  if (isMoved) note("result-moved", index, `The result of ${id} was moved to its call.`)
  if (toolCallId !== id) note("call-renamed", index, `The result of ${toolCallId} goes by ${id} now, as its call does.`)
  if (toolName !== block.name)
    note("result-named", index, `The result of ${id} was named ${valueText(toolName)}, not ${block.name}.`)
  if (toolCallId === id && toolName === block.name) return result
  return { index, message: { ...result.message, toolCallId: id, toolName: block.name } as ToolResultMessage }
}

/** The time of a message, in milliseconds since 1970; 0 when it has none. */
function timestampOf({ message }: PlacedMessage): number {
  return typeof message.timestamp === "number" ? message.timestamp : 0
}

/**
 * Inserts a user turn before an answer that comes first or follows another answer: Anthropic requires the user to begin, and
 * Google requires a call to follow the user or a result. All providers accept several user turns in a row.
 */
export function alternateTurns(placed: readonly PlacedMessage[], note: NoteAt): PlacedMessage[] {
  let before: keyof typeof MISSING | "user" = "nothing"
  return placed.flatMap((one) => {
    const part = messagePart(one.message)
    const missing = part === "assistant" && before !== "user" ? MISSING[before] : undefined
    if (part === "assistant") before = "another"
    // Instructions at the start are sent separately from the conversation.
    else if (part !== "none" && (part !== "system" || before !== "nothing")) before = "user"
    if (!missing) return [one]
    note("turn-added", one.index, `A turn of the user was put before an answer that followed ${missing.what}.`)
    const content = [{ type: "text", text: missing.text }]
    return [{ index: one.index, message: { role: "user", content, timestamp: timestampOf(one) } }, one]
  })
}

/** What stands before an answer, and the text of the turn that is inserted there. */
const MISSING = {
  nothing: { what: "nothing", text: "[The conversation before this point is not available.]" },
  another: { what: "another", text: "[The answer above ended here.]" },
}
