import { basename } from "node:path"
import type { SessionHeader } from "@treelog/session-core"
import {
  type ConvertedRecords,
  countIn,
  type EntryWriter,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { inputBlocks, partsOf, replyBlocks, responsesIn, textOf, tokensOf } from "./parts.js"

/** A message of the conversation as it is now. */
interface Message {
  record: Json
  /** It was counted where it was said. */
  readonly isCopy?: boolean
  /** The leaf before and behind its entries. Undefined until it has some, for it is written again while it comes. */
  entries?: { readonly before: string | null; readonly after: string | null }
}

/** The conversion of a session, whose records are messages and what becomes of those before. */
export class GeminiConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #session: ConvertedRecords
  /** In the order of the conversation. */
  #messages = new Map<string, Message>()
  /** Those of them without entries: they can be written again. */
  readonly #pending: Message[] = []
  /** All that ever were in it: what is taken back can come again. */
  readonly #known = new Map<string, Message>()
  /** The entries of results, by the ids of their calls. */
  readonly #results = new Map<string, string>()
  #first: Json | undefined
  #title: string | undefined
  #cwd: string | undefined
  #model = "unknown"

  constructor(session: ConvertedRecords) {
    this.#session = session
    this.#writer = session.writer
  }

  kindOf(record: Json): string {
    if ("$rewindTo" in record) return "$rewindTo"
    if ("$set" in record) return "$set"
    return "sessionId" in record && !("type" in record) ? "session" : String(record.type)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "session") {
      this.#first ??= record
      this.#title = textIn(record, "summary") ?? this.#title
      return "converted"
    }
    if (kind === "$set") return this.#set(objectIn(record, "$set") ?? {})
    if (kind === "$rewindTo") return this.#rewind(String(record.$rewindTo))
    if (!KINDS.has(kind) || typeof record.id !== "string") return undefined
    return this.#message(record, record.id)
  }

  end(): SessionHeader | undefined {
    this.#flush()
    const first = this.#first
    if (!first) return undefined
    const isSession = [...this.#known.values()].some(({ record }) => !isContext(record))
    return {
      type: "session",
      // To go on with a session begins a file, which has nothing but what stands before the first prompt.
      id: isSession ? String(first.sessionId) : basename(this.#session.key).replace(/\.jsonl?$/, ""),
      timestamp: textIn(first, "startTime") ?? isoTime(0),
      cwd: this.#cwd ?? String((first.directories as unknown[] | undefined)?.[0] ?? ""),
      ...(this.#title !== undefined && { title: this.#title }),
      source: { agent: "gemini" },
    } as SessionHeader
  }

  #message(record: Json, id: string): RecordOutcome {
    const known = this.#messages.get(id)
    if (known?.entries) return isSame(known.record, record) ? { skipped: "repeats a message" } : "kept"
    if (known) {
      known.record = record
      return "converted"
    }
    // Behind a notice, the reply before it can still be written again.
    if (!NOTICES.has(record.type)) this.#flush()
    this.#add(id, { record })
    return "converted"
  }

  #add(id: string, message: Message): void {
    this.#messages.set(id, message)
    this.#known.set(id, message)
    if (!message.entries) this.#pending.push(message)
  }

  #set(fields: Json): RecordOutcome {
    const title = textIn(fields, "summary")
    if (title !== undefined && title !== this.#title)
      this.#writer.add("session_info", { id: "summary", time: Date.parse(String(fields.lastUpdated)) }, { name: title })
    this.#title = title ?? this.#title
    if (Array.isArray(fields.messages)) this.#replace(objectsIn(fields.messages))
    else if (title === undefined) return { skipped: "says when the session was last changed" }
    return "converted"
  }

  /** Removes the message that is named and all behind it. An unknown one removes all. */
  #rewind(id: string): RecordOutcome {
    this.#flush()
    const ids = [...this.#messages.keys()]
    this.#cut(Math.max(0, ids.indexOf(id)))
    return "converted"
  }

  /** Leaves so many messages. */
  #cut(count: number): void {
    const removed = [...this.#messages.entries()].slice(count)
    const [first] = removed
    if (!first) return
    this.#writer.leaf = first[1].entries?.before ?? null
    for (const [id] of removed) this.#messages.delete(id)
  }

  /** All messages at once: as they were, shorter, after a compaction, or with results that were cut. */
  #replace(records: readonly Json[]): void {
    this.#flush()
    const now = [...this.#messages.keys()]
    let same = 0
    while (same < records.length && records[same]?.id === now[same]) same++
    for (const record of records.slice(0, same)) this.#edit(record)
    const before = this.#writer.leaf
    this.#cut(same)
    for (const record of records.slice(same)) this.#addAgain(record, before)
  }

  #addAgain(record: Json, last: string | null): void {
    this.#flush()
    const id = String(record.id)
    const known = this.#known.get(id)
    if (!known && last !== null && record.type === "user" && textOf(partsOf(record.content)).includes(SUMMARY)) {
      this.#writer.leaf = last
      this.#compaction(record, id)
      return
    }
    if (known?.entries && known.entries.before === this.#writer.leaf) {
      this.#writer.leaf = known.entries.after
      this.#messages.set(id, known)
      return
    }
    const message: Message = known ? { record: { ...known.record, ...record }, isCopy: true } : { record }
    if (known) for (const { id } of objectsIn(record.toolCalls)) this.#results.delete(String(id))
    this.#add(id, message)
  }

  #compaction(record: Json, id: string): void {
    const before = this.#writer.leaf
    const summary = textOf(partsOf(record.content))
    this.#writer.add("compaction", placeOf(record), { summary, firstKeptEntryId: id, tokensBefore: 0 })
    this.#add(id, { record, entries: { before, after: this.#writer.leaf } })
  }

  /** Results that were cut to save tokens. */
  #edit(record: Json): void {
    const known = this.#messages.get(String(record.id))
    if (!known) return
    const before = new Map(objectsIn(known.record.toolCalls).map((call) => [String(call.id), call]))
    for (const { id, content } of objectsIn(record.toolCalls).flatMap(responsesOf)) {
      const [targetId, old] = [this.#results.get(id), before.get(id)]
      if (targetId === undefined || !old || isSame(responsesOf(old)[0]?.content, content)) continue
      this.#writer.add("context_edit", { id: `${targetId}:edit` }, { targetId, replacement: { content } })
    }
    known.record = { ...known.record, toolCalls: record.toolCalls }
  }

  /** Adds the entries of the last messages, once no more of them comes. */
  #flush(): void {
    for (const message of this.#pending.splice(0)) {
      const { leaf: before } = this.#writer
      const { record, isCopy = false } = message
      if (record.type === "gemini") this.#reply(record, isCopy)
      else if (record.type === "user") this.#prompt(record)
      else this.#writer.add("custom", placeOf(record), { customType: `gemini.${record.type}`, data: record })
      message.entries = { before, after: this.#writer.leaf }
    }
  }

  #prompt(record: Json): void {
    const parts = partsOf(record.content)
    const text = textOf(parts)
    const place = placeOf(record)
    if (isContext(record)) {
      this.#cwd ??= WORKSPACE.exec(text)?.[1]
      this.#writer.add("custom_message", place, {
        customType: "gemini.context",
        content: inputBlocks(parts),
        display: false,
      })
      return
    }
    const results = responsesIn(parts)
    // The reply before has had them already.
    for (const result of results) this.#result(result, place)
    if (results.length > 0) return
    const typed = textOf(partsOf(record.displayContent))
    const content = inputBlocks(parts)
    this.#writer.message(place, { role: "user", content, ...(typed !== "" && { prompt: typed }) })
  }

  #reply(record: Json, isCopy: boolean): void {
    const place = placeOf(record)
    const tokens = objectIn(record, "tokens")
    const calls = objectsIn(record.toolCalls)
    const said = partsOf(record.content)
    const isWhole = said.some(({ functionCall, thought }) => functionCall !== undefined || thought === true)
    const parts = isWhole
      ? said
      : [...objectsIn(record.thoughts).map(thoughtPart), ...said, ...calls.map((call) => ({ functionCall: call }))]
    const content = replyBlocks(parts)
    this.#model = textIn(record, "model") ?? this.#model
    this.#writer.message(place, {
      role: "assistant",
      content,
      provider: "google",
      model: this.#model,
      usage: tokens && !isCopy ? tokensIn(tokens) : usageFields(),
      stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    })
    for (const [at, call] of calls.entries()) {
      const display = objectIn(call, "resultDisplay")
      const result = { id: `${place.id}:${at + 1}`, time: Date.parse(String(call.timestamp)) }
      for (const response of responsesOf(call)) this.#result(response, result, display)
      const [agent, title] = [textIn(call, "agentId"), display && textIn(display, "agentName")]
      const part = { name: `${agent}.jsonl`, role: "subagent", call: String(call.id) }
      if (agent !== undefined)
        this.#writer.part({ ...result, id: `${result.id}:part` }, { ...part, ...(title !== undefined && { title }) })
    }
  }

  #result(result: ReturnType<typeof responsesIn>[number], place: { id: string; time: number }, details?: Json): void {
    const { id, name, content, isError } = result
    if (this.#results.has(id)) return
    const message = { role: "toolResult" as const, toolCallId: id, toolName: name, content, isError }
    this.#results.set(id, this.#writer.message(place, { ...message, ...(details && { details }) }))
  }
}

const KINDS: ReadonlySet<string> = new Set(["user", "gemini", "info", "error", "warning"])

/** What the program shows between messages. */
const NOTICES: ReadonlySet<unknown> = new Set(["info", "error", "warning"])

/** With this a compaction begins its summary. */
const SUMMARY = "<state_snapshot>"

const WORKSPACE = /(?:Workspace Directories:\*\*\s+- |working in the directory: )(.+)/

/** What the program says before the first prompt. */
function isContext({ type, content }: Json): boolean {
  return type === "user" && /^\s*(?:<session_context>|This is the Gemini CLI\.)/.test(textOf(partsOf(content)))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function placeOf({ id, timestamp }: Json): { id: string; time: number } {
  return { id: String(id), time: Date.parse(String(timestamp)) }
}

function thoughtPart({ subject, description }: Json): Json {
  const text = typeof subject === "string" && subject !== "" ? `**${subject}** ${description}` : description
  return { thought: true, text }
}

/** The results of a call, of which older versions have only the text. */
function responsesOf(call: Json): ReturnType<typeof responsesIn> {
  const { id, name, result } = call
  if (typeof result === "string") return responsesIn([{ functionResponse: { id, name, response: { output: result } } }])
  return responsesIn(partsOf(result ?? []))
}

function tokensIn(tokens: Json) {
  const [prompt, cached, output] = [countIn(tokens, "input"), countIn(tokens, "cached"), countIn(tokens, "output")]
  const [thoughts, tool, total] = [countIn(tokens, "thoughts"), countIn(tokens, "tool"), countIn(tokens, "total")]
  return tokensOf({ prompt, cached, output, thoughts, tool, total })
}
