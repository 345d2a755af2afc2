import type { ToolCall } from "../../../entry/content.js"
import type { AssistantMessage, ToolResultMessage } from "../../../entry/message.js"
import { valueText } from "../../../entry/value-text.js"
import { messagePart } from "../message-part.js"
import type { ContextChangeKind } from "./context-change.js"
import type { PlacedMessage } from "./placed-message.js"
import { type CallToPair, ToolCalls } from "./tool-calls.js"

type NoteAt = (kind: ContextChangeKind, index: number, what: string) => void

/** Moves exactly one result for each call to right after the message with the call. Messages that no model gets are not moved. */
export function pairResults(placed: readonly PlacedMessage[], note: NoteAt): PlacedMessage[] {
  const calls = new ToolCalls(placed)
  const paired: PlacedMessage[] = []
  let open: CallToPair[] = []
  const close = (): void => {
    for (const call of open) paired.push(call.answer ? moved(call, call.answer, note) : interrupted(call, note))
    open = []
  }
  for (const one of placed) {
    const part = messagePart(one.message)
    if (part === "none") paired.push(one)
    else if (part === "result") {
      const call = calls.answeredBy(one)
      if (!call) noteOrphan(one, note)
      // A result whose call has been handled was moved already.
      else if (open.includes(call)) {
        open = open.filter((other) => other !== call)
        paired.push(answerTo(call, one, note))
      }
    } else {
      close()
      open = [...calls.of(one)]
      paired.push(withIds(one, open, note))
    }
  }
  close()
  return paired
}

function noteOrphan({ index, message }: PlacedMessage, note: NoteAt): void {
  const id = valueText((message as ToolResultMessage).toolCallId)
  note("result-removed", index, `The result of ${id} has no call without a result, so it was removed.`)
}

function moved(call: CallToPair, answer: PlacedMessage, note: NoteAt): PlacedMessage {
  note("result-moved", answer.index, `The result of ${call.id} was moved to its call.`)
  return answerTo(call, answer, note)
}

/** The result, with the id and the tool name of its call. */
function answerTo({ id, block }: CallToPair, answer: PlacedMessage, note: NoteAt): PlacedMessage {
  const { index } = answer
  let message = answer.message as ToolResultMessage
  if (message.toolCallId !== id) {
    note("call-renamed", index, `The result of ${message.toolCallId} goes by ${id} now, as its call does.`)
    message = { ...message, toolCallId: id }
  }
  if (message.toolName !== block.name) {
    note("result-named", index, `The result of ${id} was named ${valueText(message.toolName)}, not ${block.name}.`)
    message = { ...message, toolName: block.name }
  }
  return message === answer.message ? answer : { index, message }
}

function interrupted({ id, block, caller }: CallToPair, note: NoteAt): PlacedMessage {
  note("result-added", caller.index, `Call ${id} had no result; it got one that says that it was interrupted.`)
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: id,
    toolName: block.name,
    content: [{ type: "text", text: "[The tool call was interrupted: it has no result.]" }],
    isError: true,
    timestamp: timestampOf(caller),
  }
  return { index: caller.index, message }
}

/** The time of a message, in milliseconds since 1970; 0 when it has none. */
export function timestampOf({ message }: PlacedMessage): number {
  return typeof message.timestamp === "number" ? message.timestamp : 0
}

function withIds(caller: PlacedMessage, calls: readonly CallToPair[], note: NoteAt): PlacedMessage {
  const renamed = new Map<unknown, ToolCall>()
  for (const { block, id } of calls) {
    if (block.id === id) continue
    note("call-renamed", caller.index, `Call ${block.id} had the id of an earlier one; it is ${id} now.`)
    renamed.set(block, { ...block, id })
  }
  if (renamed.size === 0) return caller
  const { content, ...message } = caller.message as AssistantMessage
  return { index: caller.index, message: { ...message, content: content.map((block) => renamed.get(block) ?? block) } }
}
