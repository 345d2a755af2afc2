import { type ContentBlock, contentText, type UnknownContent } from "@treelog/session-core"
import { type Json, textIn, without } from "@treelog-internal/agent-files"
import { callArguments, callOutput, contentBlocks, thinkingText } from "./item-content.js"
import { addPart, askedIn, startedThreads } from "./opened-threads.js"
import { type Place, placeOf } from "./path-state.js"
import { millis, type PathWriter } from "./path-writer.js"
import { isAgentRequest, isPrompt, isTurnContext, isTyped, promptText, typedText } from "./user-text.js"

/** What an item became. */
export type ItemOutcome = "converted" | "kept" | "unknown"

/** Adds an item of the conversation to a path. */
export function addItem(writer: PathWriter, item: Json, timestamp: string): ItemOutcome {
  const type = textIn(item, "type") ?? "none"
  const { item: before, beforeContext } = writer.path
  const id = writer.nextItem(item)
  writer.path.beforeContext = undefined
  if (type === "message") addMessage(writer, { id, before, beforeContext }, item, timestamp)
  else if (type.endsWith("_output")) addResult(writer, id, item, timestamp)
  else if (type === "agent_message") addRequest(writer, { id, before, beforeContext }, type, item, timestamp)
  else if (type === "ghost_snapshot" || type === "additional_tools" || !REPLY_ITEMS.has(type)) {
    writer.addItem(id, "custom", timestamp, { customType: `codex.${type}`, data: item })
    return type === "ghost_snapshot" || type === "additional_tools" ? "kept" : "unknown"
  } else {
    const block = replyBlock(type, item)
    const { type: kind, id: callId, name, arguments: args } = block as UnknownContent
    if (kind === "toolCall") {
      const title = name === "spawn_agent" ? askedIn(args as Json) : undefined
      writer.path.calls.set(String(callId), { name: String(name), title })
    }
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

/** The id of an item, that of the one before it, and the place before the context that precedes it. */
interface ItemIds {
  readonly id: string
  readonly before: string
  readonly beforeContext: Place | undefined
}

function addMessage(writer: PathWriter, ids: ItemIds, item: Json, timestamp: string): void {
  const { path } = writer
  const { id } = ids
  const content = contentBlocks(item.content)
  if (item.role === "assistant") {
    if (isAgentRequest(item)) beginTurn(writer, ids, undefined)
    const signature = messageSignature(item)
    writer.addToReply(
      id,
      timestamp,
      content.map((block) => (block.type === "text" && signature ? { ...block, textSignature: signature } : block)),
    )
    return
  }
  writer.endReply()
  const isSaid = item.role === "user" && isTyped(item)
  if (item.role === "user" && isPrompt(item)) {
    writer.endUsage(timestamp)
    beginTurn(writer, ids, promptText(item))
  } else {
    if (path.turns.length === 0) path.initial.push(item)
    if (isTurnContext(item)) path.beforeContext = ids.beforeContext ?? { ...placeOf(path), item: ids.before }
  }
  if (item.role === "user" && !isSaid) {
    writer.addItem(id, "custom_message", timestamp, { customType: "codex.context", content, display: false })
    return
  }
  const [role, typed] = [textIn(item, "role") ?? "user", isSaid ? typedText(item) : undefined]
  const prompt = typed !== undefined && typed !== contentText(content) && { prompt: typed }
  writer.addItem(id, "message", timestamp, { message: { role, content, ...prompt, timestamp: millis(timestamp) } })
}

/** What Codex counts when it takes turns back; newer versions take the context that precedes a turn back with it, unless it is the first. */
function beginTurn(writer: PathWriter, { before, beforeContext }: ItemIds, prompt: string | undefined): void {
  writer.endReply()
  const { path } = writer
  const here = path.dropsContext && path.turns.length > 0 ? beforeContext : undefined
  path.turns.push({ prompt, before: here ?? { ...placeOf(path), item: before } })
}

/** As pi stores the id and the phase of a text. */
function messageSignature(item: Json): string | undefined {
  const [id, phase] = [textIn(item, "id"), textIn(item, "phase")]
  if (id === undefined && phase === undefined) return undefined
  return JSON.stringify({ v: 1, ...(id !== undefined && { id }), ...(phase !== undefined && { phase }) })
}

function addResult(writer: PathWriter, id: string, item: Json, timestamp: string): void {
  const callId = textIn(item, "call_id")
  if (callId === undefined) {
    addNews(writer, id, item, timestamp)
    return
  }
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
  for (const thread of startedThreads(callId, call, output)) addPart(writer, timestamp, thread)
}

/** An output of no call is what the program tells the model unasked, such as the objective of a goal. */
function addNews(writer: PathWriter, id: string, { output, ...details }: Json, timestamp: string): void {
  const customType = `codex.${textIn(details, "name") ?? "output"}`
  const { content } = callOutput(output, writer.path.sendsText)
  writer.addItem(id, "custom_message", timestamp, { customType, content, display: false, details })
}

/** A message of another agent, which begins a turn. */
function addRequest(writer: PathWriter, ids: ItemIds, type: string, item: Json, timestamp: string): void {
  beginTurn(writer, ids, undefined)
  const { content, ...details } = item
  const fields = { customType: `codex.${type}`, content: contentBlocks(content), display: false, details }
  writer.addItem(ids.id, "custom_message", timestamp, fields)
}
