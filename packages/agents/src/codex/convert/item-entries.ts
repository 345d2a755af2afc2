import { type ContentBlock, contentText } from "@treelog/session-core"
import { callArguments, type Json, type RecordOutcome, textIn, without } from "@treelog-internal/agent-files"
import { callOutput, contentBlocks, thinkingText } from "./item-content.js"
import { KEPT_ITEMS, REPLY_ITEMS } from "./line-kinds.js"
import { addPart, askedIn, startedThreads } from "./opened-threads.js"
import type { Place } from "./path-state.js"
import { millis, type PathWriter } from "./path-writer.js"
import { isAgentRequest, isPrompt, isTurnContext, isTyped, promptText, typedText } from "./user-text.js"

/** Adds an item of the conversation to a path. */
export function addItem(writer: PathWriter, item: Json): RecordOutcome {
  const { path } = writer
  const type = textIn(item, "type") ?? "none"
  const { item: before, beforeContext } = path
  const id = writer.nextItem(item)
  path.beforeContext = undefined
  if (type === "message") addMessage(writer, { id, before, beforeContext }, item)
  else if (type.endsWith("_output")) addResult(writer, id, item)
  else if (type === "agent_message") {
    beginTurn(writer, { id, before, beforeContext }, undefined)
    const { content, ...details } = item
    addUnsaid(writer, id, type, { content: contentBlocks(content), details })
  } else if (REPLY_ITEMS.has(type)) {
    const block = replyBlock(type, item)
    const { type: kind, id: callId, name, arguments: args } = block as Json
    if (kind === "toolCall") {
      const title = name === "spawn_agent" ? askedIn(args as Json) : undefined
      path.calls.set(String(callId), { name: String(name), title })
    }
    writer.addToReply(id, [block])
  } else {
    writer.addItem(id, "custom", { customType: `codex.${type}`, data: item })
    return KEPT_ITEMS.has(type) ? "kept" : undefined
  }
  return "converted"
}

function replyBlock(type: string, item: Json): ContentBlock {
  const id = textIn(item, "call_id") ?? textIn(item, "id") ?? ""
  const call = (name: string, args: unknown, like?: Json): ContentBlock => ({
    type: "toolCall",
    id,
    name,
    arguments: callArguments(args),
    ...(like && { thoughtSignature: JSON.stringify(like) }),
  })
  const name = textIn(item, "name") ?? "unknown"
  switch (type) {
    case "reasoning": {
      const { internal_chat_message_metadata_passthrough: _, ...own } = item
      return { type: "thinking", thinking: thinkingText(item), thinkingSignature: JSON.stringify(own) }
    }
    case "function_call": {
      const namespace = textIn(item, "namespace")
      return call(name, item.arguments, namespace === undefined ? undefined : { type, namespace })
    }
    case "custom_tool_call":
      return call(name, { input: typeof item.input === "string" ? item.input : "" }, { type })
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

function addMessage(writer: PathWriter, ids: ItemIds, item: Json): void {
  const { path } = writer
  const content = contentBlocks(item.content)
  if (item.role === "assistant") {
    if (isAgentRequest(item)) beginTurn(writer, ids, undefined)
    const signature = messageSignature(item)
    const signed = content.map((block) => (block.type === "text" ? { ...block, ...signature } : block))
    writer.addToReply(ids.id, signed)
    return
  }
  writer.endReply()
  const isSaid = item.role === "user" && isTyped(item)
  if (item.role === "user" && isPrompt(item)) {
    writer.endUsage()
    beginTurn(writer, ids, promptText(item))
  } else {
    if (path.turns.length === 0) path.initial.push(item)
    if (isTurnContext(item)) path.beforeContext = ids.beforeContext ?? path.place(ids.before)
  }
  if (item.role === "user" && !isSaid) {
    addUnsaid(writer, ids.id, "context", { content })
    return
  }
  const [role, typed] = [textIn(item, "role") ?? "user", isSaid ? typedText(item) : undefined]
  const prompt = typed !== undefined && typed !== contentText(content) && { prompt: typed }
  writer.addItem(ids.id, "message", { message: { role, content, ...prompt, timestamp: millis(writer.time) } })
}

/** What the model got from the program, not from a person. */
function addUnsaid(writer: PathWriter, id: string, kind: string, { content, ...more }: Json): void {
  writer.addItem(id, "custom_message", { customType: `codex.${kind}`, content, display: false, ...more })
}

/** What Codex counts when it takes turns back; newer versions take the context that precedes a turn back with it, unless it is the first. */
function beginTurn(writer: PathWriter, { before, beforeContext }: ItemIds, prompt: string | undefined): void {
  writer.endReply()
  const { path } = writer
  const here = path.dropsContext && path.turns.length > 0 ? beforeContext : undefined
  path.turns.push({ prompt, before: here ?? path.place(before) })
}

/** As pi stores the id and the phase of a text. */
function messageSignature(item: Json): { textSignature: string } | undefined {
  const [id, phase] = [textIn(item, "id"), textIn(item, "phase")]
  if (id === undefined && phase === undefined) return undefined
  return { textSignature: JSON.stringify({ v: 1, id, phase }) }
}

function addResult(writer: PathWriter, id: string, item: Json): void {
  const { path, time } = writer
  const callId = textIn(item, "call_id")
  if (callId === undefined) {
    // What the program adds to the request by itself, such as the objective of a goal.
    const { output, ...details } = item
    const { content } = callOutput(output, path.sendsText)
    addUnsaid(writer, id, textIn(item, "name") ?? "output", { content, details })
    return
  }
  const call = path.calls.get(callId)
  writer.isLacking ||= !call
  path.calls.delete(callId)
  const output = "output" in item ? item.output : JSON.stringify(without(item, ["type", "id", "call_id"]))
  const { content, details, isError } = callOutput(output, path.sendsText)
  const message = {
    role: "toolResult",
    toolCallId: callId,
    toolName: call?.name ?? "unknown",
    content,
    ...((details || call?.details) && { details: { ...details, ...call?.details } }),
    isError: call?.isError ?? isError ?? false,
    timestamp: millis(time),
  }
  writer.addItem(id, "message", { message })
  for (const thread of startedThreads(callId, call, output)) addPart(writer, thread)
}
