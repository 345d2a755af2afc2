import type { ContentBlock, Message, ToolCall, UserMessage } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
  type EntryPlace,
  type EntryWriter,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { typedText } from "./typed-text.js"

/** How a summary begins, which early versions do not mark. */
const SUMMARY = "[CONTEXT COMPACTION"

/** Before content that is no text. */
const JSON_CONTENT = "\0json:"

/** The conversion of a session: messages of OpenAI's API in rows, of which those that are active are the context. */
export class HermesConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #id: string
  #session: Json | undefined
  #hasUsage = false
  /** What a compaction put away, by what it said: its newest messages are there again behind the summary. */
  readonly #archived = new Set<string>()
  /** What stands in the place of what was put away. */
  #kept: { readonly place: EntryPlace; readonly message: Message }[] | undefined
  #summary = ""
  /** The tools of calls, by their ids, of which providers use some again. */
  readonly #tools = new Map<string, string>()
  /** The leaf before messages that were taken back. */
  #before: string | null | undefined

  constructor({ writer, id }: ConvertedRecords) {
    this.#writer = writer
    this.#id = id
  }

  kindOf({ record }: Json): string {
    return String(record)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "session") this.#session = record
    else if (kind === "usage") this.#usage(record, textIn(record, "model"), record.billing_provider)
    else if (kind === "message:session_meta" || kind === "message:system") return "kept"
    else return this.#message(record)
    return "converted"
  }

  end(): HeaderFields | undefined {
    this.#addCompaction({ id: this.#id })
    this.#goOn()
    const session = this.#session
    if (!session) return undefined
    if (!this.#hasUsage) this.#usage(session, textIn(session, "model"), session.billing_provider)
    const { relation, title_source } = session
    const [title, parent, branch] = [
      title_source === "derived" ? undefined : textIn(session, "title"),
      relation === "subagent" ? undefined : textIn(session, "parent_session_id"),
      textIn(session, "git_branch"),
    ]
    return {
      id: this.#id,
      timestamp: isoTime(Number(session.started_at) * 1000),
      // Early versions have it among the settings of an editor alone.
      cwd: textIn(session, "cwd") ?? textIn(parsedObject(String(session.model_config)) ?? {}, "cwd"),
      title,
      parentSession: parent,
      source: {
        branch,
        archived: session.archived === 1,
      },
    }
  }

  #message(row: Json): RecordOutcome {
    const place = { id: `${this.#id}:${row.id}`, time: Number(row.timestamp) * 1000 }
    const message = messageOf(row, this.#modelOf(row), this.#tools)
    if (!message) return undefined
    const key = JSON.stringify([row.role, row.content, row.timestamp, row.tool_call_id, row.tool_calls])
    const [isActive, isArchived] = [row.active !== 0, row.active === 0 && row.compacted === 1]
    if (isArchived) {
      this.#goOn()
      if (this.#archived.has(key)) return { skipped: "is there again behind each compaction" }
      this.#archived.add(key)
      if (row._compressed_summary === 1) return { skipped: "a summary that a later one has" }
    } else if (isActive) {
      this.#goOn()
      if (this.#archived.size > 0) this.#kept ??= []
      if (this.#kept && (this.#archived.has(key) || row._compressed_summary === 1)) {
        this.#archived.delete(key)
        if (row._compressed_summary === 1) this.#summary = textOf(message)
        this.#kept.push({ place, message })
        return "converted"
      }
      this.#addCompaction(place)
    } else this.#before ??= this.#writer.leaf
    this.#add(place, message, row)
    return "converted"
  }

  #add(place: EntryPlace, message: Message, row: Json): void {
    const isOwn = textIn(row, "display_kind") !== undefined || row.observed === 1 || row._compressed_summary === 1
    if (message.role === "user" && (isOwn || String(row.content).startsWith(SUMMARY))) {
      const { content } = message as UserMessage
      this.#writer.add("custom_message", place, { customType: "hermes.context", content, display: false })
    } else this.#writer.message(place, message as Parameters<EntryWriter["message"]>[1])
  }

  /** Before what follows a compaction stands what is in the place of all that was put away. */
  #addCompaction(next: EntryPlace): void {
    const kept = this.#kept ?? []
    if (this.#archived.size > 0) {
      const place = { ...next, ...kept[0]?.place, id: `${(kept[0]?.place ?? next).id}:compaction` }
      const sentAs = kept.map(({ message }) => message)
      const fields = { summary: this.#summary, sentAs, firstKeptEntryId: place.id, tokensBefore: 0 }
      this.#writer.add("compaction", place, fields)
    } else for (const { place, message } of kept) this.#add(place, message, {})
    this.#kept = undefined
    this.#archived.clear()
  }

  /** What follows does not hang on messages that were taken back. */
  #goOn(): void {
    if (this.#before !== undefined) this.#writer.leaf = this.#before
    this.#before = undefined
  }

  #modelOf(row: Json): { provider: string; model: string } {
    const session = this.#session ?? row
    return {
      provider: textIn(session, "billing_provider") ?? "unknown",
      model: textIn(session, "model") ?? "unknown",
    }
  }

  /** Of replies it is not stored. */
  #usage(row: Json, model = "unknown", provider: unknown = undefined): void {
    const usage = usageFields({
      input: countIn(row, "input_tokens"),
      output: countIn(row, "output_tokens"),
      cacheRead: countIn(row, "cache_read_tokens"),
      cacheWrite: countIn(row, "cache_write_tokens"),
      cost: countIn(row, "actual_cost_usd"),
    })
    if (!usage.totalTokens) return
    this.#hasUsage = true
    const id = `${this.#id}:usage:${model}:${textIn(row, "task") ?? ""}`
    this.#writer.add("usage", { id }, { provider: String(provider || "unknown"), model, usage })
  }
}

/** What the model gets of a row; undefined for a role that is not known. @param tools gets the tools of calls */
function messageOf(
  row: Json,
  model: { provider: string; model: string },
  tools: Map<string, string>,
): Message | undefined {
  const timestamp = Number(row.timestamp) * 1000
  // What was sent, where more of it was than what was said.
  const content = blocksOf(textIn(row, "api_content") ?? row.content)
  if (row.role === "user") {
    const said = textOf({ content: blocksOf(row.content) })
    const prompt = typedText(said) ?? (row.api_content ? said : undefined)
    return { role: "user", content, timestamp, ...(prompt !== undefined && { prompt }) }
  }
  if (row.role === "tool") {
    const [toolCallId, toolName] = [String(row.tool_call_id), textIn(row, "tool_name")]
    const tool = toolName ?? tools.get(toolCallId) ?? "unknown"
    return { role: "toolResult", toolCallId, toolName: tool, content, isError: false, timestamp }
  }
  if (row.role !== "assistant") return undefined
  const thinking = textIn(row, "reasoning_content") ?? textIn(row, "reasoning") ?? reasoningIn(row.reasoning_details)
  const thoughts: ContentBlock[] = thinking === undefined ? [] : [{ type: "thinking", thinking }]
  const calls = callsIn(row)
  for (const { id, name } of calls) tools.set(id, name)
  const stopReason = calls.length > 0 ? "toolUse" : row.finish_reason === "length" ? "length" : "stop"
  const said = { content: [...thoughts, ...content, ...calls], ...model, usage: usageFields(), stopReason }
  return { role: "assistant", ...said, timestamp } as Message
}

function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content !== "string") return []
  const parts = content.startsWith(JSON_CONTENT)
    ? parsedObject(`{"parts":${content.slice(JSON_CONTENT.length)}}`)?.parts
    : undefined
  if (!Array.isArray(parts)) {
    const text = content.trim()
    return text === "" ? [] : [{ type: "text", text }]
  }
  return objectsIn(parts).map((part): ContentBlock => {
    const url = textIn(objectIn(part, "image_url") ?? {}, "url") ?? ""
    const [, mimeType, data] = /^data:(image\/[\w+.-]+);base64,(.*)$/s.exec(url) ?? []
    if (mimeType !== undefined && data !== undefined) return { type: "image", data, mimeType }
    return part as unknown as ContentBlock
  })
}

/** Some were stored without their ids: they have those of the results behind them, if there is one for each. */
function callsIn({ id: row, tool_calls, answers }: Json): ToolCall[] {
  const calls = objectsIn(parsedObject(`{"calls":${String(tool_calls ?? "[]")}}`)?.calls)
  const ids = Array.isArray(answers) && answers.length === calls.length ? answers : []
  return calls.map((call, at) => {
    const { name, arguments: args } = objectIn(call, "function") ?? call
    return {
      type: "toolCall" as const,
      id: String(call.id ?? call.call_id ?? ids[at] ?? `${row}:${at + 1}`),
      name: String(name),
      arguments: callArguments(args),
    }
  })
}

/** Of providers that give reasoning in parts, their texts. */
function reasoningIn(details: unknown): string | undefined {
  const parts = objectsIn(parsedObject(`{"parts":${String(details ?? "[]")}}`)?.parts)
  return parts.map((part) => textIn(part, "text") ?? textIn(part, "summary") ?? "").join("") || undefined
}

function textOf({ content }: object & { content?: unknown }): string {
  return objectsIn(content)
    .map((part) => textIn(part, "text") ?? "")
    .join("")
}
