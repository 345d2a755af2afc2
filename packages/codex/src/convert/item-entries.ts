import type { ContentBlock, UnknownContent } from "@treelog/session-core"
import { type Json, textIn, without } from "../rollout/json.js"
import { callArguments, callOutput, contentBlocks, isPrompt, promptText, thinkingText } from "./item-content.js"
import { millis, type PathWriter } from "./path-writer.js"

/** What an item became. */
export type ItemOutcome = "converted" | "kept" | "unknown"

/** Adds an item of the conversation to a path. */
export function addItem(writer: PathWriter, item: Json, timestamp: string): ItemOutcome {
  const type = textIn(item, "type") ?? "none"
  const before = writer.path.item
  const id = writer.nextItem(item)
  if (type === "message") addMessage(writer, { id, before }, item, timestamp)
  else if (type.endsWith("_output")) addResult(writer, id, item, timestamp)
  else if (type === "agent_message") addNote(writer, id, type, item, timestamp)
  else if (type === "ghost_snapshot" || type === "additional_tools" || !REPLY_ITEMS.has(type)) {
    writer.addItem(id, "custom", timestamp, { customType: `codex.${type}`, data: item })
    return type === "ghost_snapshot" || type === "additional_tools" ? "kept" : "unknown"
  } else {
    const block = replyBlock(type, item)
    const { type: kind, id: callId, name } = block as UnknownContent
    if (kind === "toolCall") writer.path.calls.set(String(callId), { name: String(name) })
    writer.addToReply(id, timestamp, [block])
  }
  return "converted"
}

/** What a model answers, beside messages. */
const REPLY_ITEMS: ReadonlySet<string> = new Set([
  "reasoning",
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "tool_search_call",
  "web_search_call",
  "image_generation_call",
  "compaction",
  "compaction_summary",
  "context_compaction",
])

function replyBlock(type: string, item: Json): ContentBlock {
  const id = textIn(item, "call_id") ?? textIn(item, "id") ?? ""
  const name = textIn(item, "name")
  const call = (name: string, args: unknown, like?: Json): ContentBlock => ({
    type: "toolCall",
    id,
    name,
    arguments: callArguments(args),
    ...(like && { thoughtSignature: JSON.stringify(like) }),
  })
  switch (type) {
    case "reasoning": {
      const { internal_chat_message_metadata_passthrough: _, ...own } = item
      return { type: "thinking", thinking: thinkingText(item), thinkingSignature: JSON.stringify(own) }
    }
    case "function_call": {
      const namespace = textIn(item, "namespace")
      return call(name ?? "unknown", item.arguments, namespace === undefined ? undefined : { type, namespace })
    }
    case "custom_tool_call":
      return call(name ?? "unknown", { input: typeof item.input === "string" ? item.input : "" }, { type })
    case "local_shell_call":
      return call("local_shell", item.action)
    case "tool_search_call":
      return id === "" ? (item as ContentBlock) : call("tool_search", item.arguments)
    default:
      return item as ContentBlock
  }
}

/** @param ids the id of the message, and that of the item before it */
function addMessage(writer: PathWriter, ids: { id: string; before: string }, item: Json, timestamp: string): void {
  const { path } = writer
  const { id } = ids
  const content = contentBlocks(item.content)
  if (item.role === "assistant") {
    const signature = messageSignature(item)
    writer.addToReply(
      id,
      timestamp,
      content.map((block) => (block.type === "text" && signature ? { ...block, textSignature: signature } : block)),
    )
    return
  }
  writer.endReply()
  const time = millis(timestamp)
  const isSaid = item.role === "user" && isPrompt(item)
  if (isSaid) {
    writer.endUsage(timestamp)
    path.prompts.push({ text: promptText(item), leaf: path.leaf, item: ids.before })
  } else if (path.prompts.length === 0) path.initial.push(item)
  if (item.role === "user" && !isSaid)
    writer.addItem(id, "custom_message", timestamp, { customType: "codex.context", content, display: false })
  else {
    const role = textIn(item, "role") ?? "user"
    writer.addItem(id, "message", timestamp, { message: { role, content, timestamp: time } })
  }
}

/** As pi stores the id and the phase of a text. */
function messageSignature(item: Json): string | undefined {
  const [id, phase] = [textIn(item, "id"), textIn(item, "phase")]
  if (id === undefined && phase === undefined) return undefined
  return JSON.stringify({ v: 1, ...(id !== undefined && { id }), ...(phase !== undefined && { phase }) })
}

function addResult(writer: PathWriter, id: string, item: Json, timestamp: string): void {
  const callId = textIn(item, "call_id") ?? ""
  const call = writer.path.calls.get(callId)
  writer.path.calls.delete(callId)
  const output = "output" in item ? item.output : JSON.stringify(without(item, ["type", "id", "call_id"]))
  const { content, details, isError } = callOutput(output, writer.path.sendsText)
  const known = details || call?.details ? { ...details, ...call?.details } : undefined
  const message = {
    role: "toolResult",
    toolCallId: callId,
    toolName: call?.name ?? "unknown",
    content,
    ...(known && { details: known }),
    isError: call?.isError ?? isError ?? false,
    timestamp: millis(timestamp),
  }
  writer.addItem(id, "message", timestamp, { message })
}

function addNote(writer: PathWriter, id: string, type: string, item: Json, timestamp: string): void {
  const { content, ...details } = item
  const fields = { customType: `codex.${type}`, content: contentBlocks(content), display: false, details }
  writer.addItem(id, "custom_message", timestamp, fields)
}
