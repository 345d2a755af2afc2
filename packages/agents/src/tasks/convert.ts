import { basename } from "node:path"
import {
  type ContentBlock,
  isEntry,
  type LostResult,
  type Message,
  type SessionEntry,
  type Usage,
} from "@treelog/session-core"
import { usagesOf } from "@treelog/session-core/search"
import {
  type ConvertedRecords,
  countIn,
  type EntryPlace,
  EntryWriter,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
  without,
} from "../kit.js"
import {
  contentBlocks,
  contentText,
  entryPlace,
  metricsUsage,
  promptBlocks,
  reasoningBlocks,
  recordBlocks,
  signed,
} from "./message-fields.js"
import { resultBlocks, sentBlock, sentResult } from "./sent-blocks.js"
import { filesOfResult, isOwnText, modelIn, typedIn, workspaceIn } from "./typed-text.js"
import { WindowRecords } from "./window-records.js"

/** The conversion of a session of Cline, Roo Code or Kilo. */
export class TasksConverter implements RecordConverter {
  readonly #writer: EntryWriter
  /** As it was found. */
  readonly #id: string
  readonly #agent: string
  /** The transcripts of sub-agents, of which Cline says only what they were asked. */
  readonly #parts: { readonly name: string; readonly prompt: string }[]
  #head: Json = {}
  #first: Json | undefined
  /** As the list of all tasks has it. */
  readonly #folder: string | undefined
  readonly #listed: Json
  #cwd: string | undefined
  #model = "unknown"
  readonly #window: WindowRecords
  readonly #calls = new Map<string, string>()
  /** Calls that a summary hides: Roo Code and Kilo send no result of them. */
  readonly #hiddenCalls = new Set<string>()
  /** What a call asks a sub-agent. */
  readonly #asked = new Map<string, string>()
  /** By which Cline knows the last message. */
  #lastKeys: readonly string[] = []
  /** Entries that a cut takes out of the context, by its id, and the cuts that were made. */
  readonly #cut = new Map<string, string[]>()
  readonly #cuts = new Set<string>()
  /** Texts that Cline sends in the place of those of blocks, by the numbers of messages and blocks. */
  #edits: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map()
  #count = 0
  /** What the next reply begins with. */
  #reasoning: ContentBlock[] = []
  /** What is sent in the place of entries. */
  readonly #replaced: { readonly targetId: string; readonly replacement: { content: ContentBlock[] } | null }[] = []

  readonly #session: ConvertedRecords

  constructor(session: ConvertedRecords, agent: string) {
    const { writer, id, cwd, facts, parts } = session
    this.#session = session
    this.#writer = writer
    this.#folder = cwd
    this.#listed = facts
    this.#id = id
    this.#agent = agent
    this.#window = new WindowRecords(agent)
    this.#parts = parts.map(({ name, records }) => ({ name, prompt: promptIn(records) }))
  }

  kindOf({ record, type }: Json): string {
    return KINDS.has(record) ? String(record) : `${type}:${record}`
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "session") {
      this.#head = record
      const systemPrompt = textIn(record, "system_prompt")
      const time = Date.parse(String(record.started_at))
      if (systemPrompt !== undefined)
        this.#writer.add("session_init", { id: "system", time }, { systemPrompt, task: "", tools: [] })
      return "converted"
    }
    if (kind === "compaction") return this.#latestCompaction(record)
    if (kind === "edits") {
      this.#edits = editsIn(record.edits)
      return "converted"
    }
    if (kind !== "message") return this.#window.record(record, kind)
    const number = this.#count++
    if (record.type === "reasoning") {
      const [reasoning] = reasoningBlocks(record)
      if (reasoning) this.#reasoning.push(reasoning)
      return reasoning ? "converted" : "kept"
    }
    if (record.role !== "user" && record.role !== "assistant") return undefined
    this.#first ??= record
    if (!recordBlocks(record.content).some(({ type }) => type === "tool_result"))
      this.#addErrors(entryPlace(record, "").time ?? (record.role === "assistant" ? this.#window.nextTime : undefined))
    const { length } = this.#writer.entries
    if (record.role === "assistant" && record.isSummary !== true) this.#reply(record)
    else if (record.isSummary === true) this.#compaction(record)
    else this.#prompt(record)
    const cut = textIn(record, "truncationParent")
    const added = this.#writer.entries.slice(length)
    const own = added.map(({ id }) => id)
    this.#replace(number, record, added)
    this.#lastKeys = [`id:${record.id}`, `ts:${record.role}:${record.ts}`]
    if (cut !== undefined) this.#cut.set(cut, [...(this.#cut.get(cut) ?? []), ...own])
    if (record.isTruncationMarker === true) this.#cuts.add(String(record.truncationId))
    return "converted"
  }

  end(): HeaderFields | undefined {
    const first = this.#first
    const { sessionId, started_at, cwd, metadata } = this.#head
    const item = { ...this.#listed, ...objectIn(this.#head, "history") }
    if (!first && sessionId === undefined && this.#head.isTask !== true) return undefined
    this.#forgetRepeated()
    this.#addErrors(Number.POSITIVE_INFINITY)
    // A reply that has not come yet.
    if (this.#reasoning.length > 0)
      this.#writer.add("custom", { id: "reasoning" }, { customType: `${this.#agent}.reasoning`, data: this.#reasoning })
    // A task that ended, or waits for a subtask, has nothing left to do, whatever it called last.
    const last = this.#writer.entries.filter(({ type }) => type === "message").at(-1)
    if (
      (item.status === "completed" || item.status === "delegated") &&
      last &&
      isEntry(last, "message") &&
      last.message.role === "assistant"
    )
      (last.message as { stopReason?: string }).stopReason = "stop"
    for (const cut of this.#cuts)
      for (const targetId of this.#cut.get(cut) ?? []) this.#replaced.push({ targetId, replacement: null })
    for (const edit of this.#replaced) this.#writer.add("context_edit", { id: `${edit.targetId}:cut` }, edit)
    const addUsage = (used: { usage: Usage; role?: string }, time?: number): void => {
      this.#writer.add("usage", { id: "request", time }, { provider: "unknown", model: this.#model, ...used })
    }
    for (const { time, ...used } of this.#window.unanswered) addUsage(used, time)
    // Where nothing says what the requests used, their sum does.
    if (SUMS.some((sum) => countIn(item, sum) > 0) && !this.#writer.entries.some((one) => usagesOf(one).length > 0))
      addUsage({ usage: this.#window.usageOf({ ...item, cost: item.totalCost }) })
    const { title, fork, sessionHistoryOrigin } = (metadata ?? {}) as Record<string, Json | string>
    const parent = typeof fork === "object" ? textIn(fork, "forkedFromSessionId") : textIn(item, "parentTaskId")
    const version = typeof sessionHistoryOrigin === "object" ? textIn(sessionHistoryOrigin, "version") : undefined
    const id = this.#id
    const time =
      typeof started_at === "string" ? Date.parse(started_at) : (first && entryPlace(first, id).time) || Number(id)
    return {
      id,
      timestamp: isoTime(time),
      cwd: typeof cwd === "string" ? cwd : (textIn(item, "workspace") ?? this.#folder ?? this.#cwd),
      title: typeof title === "string" && title !== this.#head.prompt ? title : undefined,
      parentSession: parent,
      source: {
        kind: textIn(item, "parentTaskId") && "subtask",
        version,
      },
    }
  }

  /** What Cline leaves out, with the results of calls that it leaves out, and texts that it sends shorter. */
  #replace(number: number, record: Json, added: readonly SessionEntry[]): void {
    if (this.#head.isTask !== true) this.#shorten(record, added)
    const texts = this.#edits.get(number)
    const last = added.at(-1)
    const isResult = (entry: SessionEntry): boolean => isEntry(entry, "message") && entry.message.role === "toolResult"
    const { cutTo } = this.#window
    const isCut = number >= 2 && number <= cutTo
    const cut = isCut ? added : cutTo > 0 && number === cutTo + 1 ? added.filter(isResult) : []
    for (const { id: targetId } of cut) this.#replaced.push({ targetId, replacement: null })
    if (isCut || !texts || !last || isResult(last)) return
    const blocks = recordBlocks(record.content).map((block, at) =>
      block.type === "text" && texts.has(at) ? { ...block, text: texts.get(at) } : block,
    )
    const content = blocks.filter(({ type }) => type !== "tool_result").flatMap(promptBlocks)
    this.#replaced.push({ targetId: last.id, replacement: { content } })
  }

  /** Cline 3 sends long texts and results without their middle. */
  #shorten(record: Json, added: readonly SessionEntry[]): void {
    const blocks = recordBlocks(record.content).map((block) => sentBlock(block, record.role))
    const results = new Map(
      blocks.map(({ type, tool_use_id, content }) => [type === "tool_result" && tool_use_id, content]),
    )
    const others = blocks.filter(({ type }) => type !== "tool_result")
    for (const entry of added) {
      if (!isEntry(entry, "message")) continue
      const message = entry.message as { content: unknown; toolCallId?: string; isError?: boolean }
      const content =
        message.toolCallId === undefined
          ? others.flatMap(record.role === "user" ? promptBlocks : contentBlocks)
          : resultBlocks(sentResult(results.get(message.toolCallId)), message.isError === true)
      if (JSON.stringify(content) !== JSON.stringify(message.content))
        this.#replaced.push({ targetId: entry.id, replacement: { content } })
    }
  }

  /** Those that were shown before a time. */
  #addErrors(time = 0): void {
    for (const { error, ...place } of this.#window.errorsBefore(time))
      this.#writer.notice({ id: "error", ...place }, `${this.#agent}.error`, error)
  }

  #prompt(record: Json): void {
    const place = entryPlace(record, this.#id)
    const blocks = recordBlocks(record.content)
    for (const block of blocks) {
      if (block.type !== "tool_result") continue
      const toolCallId = String(block.tool_use_id)
      const toolName = textIn(block, "name") ?? this.#calls.get(toolCallId) ?? "unknown"
      const isError = block.is_error === true
      const isTask = this.#head.isTask === true
      const content = isTask ? recordBlocks(block.content).flatMap(contentBlocks) : resultBlocks(block.content, isError)
      const targetId = this.#writer.message(place, { role: "toolResult", toolCallId, toolName, content, isError })
      if (this.#hiddenCalls.has(toolCallId)) this.#replaced.push({ targetId, replacement: null })
      const at = this.#parts.findIndex(({ prompt }) => prompt !== "" && prompt === this.#asked.get(toolCallId))
      for (const { name } of at < 0 ? [] : this.#parts.splice(at, 1))
        this.#writer.part({ ...place, id: `${place.id}:part` }, { name, role: "subagent", call: toolCallId })
    }
    const content = blocks.filter(({ type }) => type !== "tool_result").flatMap(promptBlocks)
    if (content.length === 0) return
    if (this.#head.isTask !== true && contentText(content)?.startsWith(RESUMED_TASK)) {
      if (this.#head.hasTask !== true) this.#forgetUsage(() => true)
      this.#writer.add("custom_message", place, { customType: "cline.notice", content, display: false })
      return
    }
    const texts = content.map((block) => (block.type === "text" ? String((block as Json).text) : ""))
    for (const text of texts) {
      this.#cwd ??= workspaceIn(text)
      this.#model = modelIn(text) ?? this.#model
    }
    const [first = ""] = texts
    const isAnswer = first.startsWith("[ask_followup_question")
    const typed = blocks.map(({ text }) => typedIn(String(text), isAnswer)).find((text) => text !== undefined)
    if (typed === undefined && this.#head.isTask === true && isOwnText(first)) {
      const details = filesOfResult(texts)
      const customType = `${this.#agent}.result`
      this.#writer.add("custom_message", place, { customType, content, display: true, ...(details && { details }) })
    } else this.#writer.message(place, { role: "user", content, ...(typed !== undefined && { prompt: typed }) })
  }

  /** What was copied of a task that Cline 3 in VS Code began counts there; the last reply has the sum. */
  #forgetUsage(isCopied: (id: string) => boolean): void {
    for (const entry of this.#writer.entries)
      if (isEntry(entry, "message") && entry.message.role === "assistant" && isCopied(entry.id))
        (entry.message as { usage?: Usage }).usage = usageFields()
  }

  /** A teammate's next transcript begins with the one before. What several have counts in the shortest of them. */
  #forgetRepeated(): void {
    const own = basename(this.#session.key)
    const earlier = this.#session.parts.filter(({ name, records }) => {
      const count = records.filter(({ record }) => record === "message").length
      return count < this.#count || (count === this.#count && name < own)
    })
    const repeated = new Set(earlier.flatMap(({ records }) => records.map((record) => entryPlace(record, "").id)))
    this.#forgetUsage((id) => repeated.has(id))
  }

  #reply(record: Json): void {
    const blocks = recordBlocks(record.content)
    const content = signed([...this.#reasoning.splice(0), ...blocks.flatMap(contentBlocks)], blocks)
    const details = Array.isArray(record.reasoning_details) && { reasoning_details: record.reasoning_details }
    for (const block of blocks) {
      if (block.type !== "tool_use") continue
      this.#calls.set(String(block.id), String(block.name))
      this.#asked.set(String(block.id), textIn(objectIn(block, "input") ?? {}, "task") ?? "")
    }
    const info = objectIn(record, "modelInfo") ?? {}
    const metrics = objectIn(record, "metrics")
    const request = metrics && "inputTokens" in metrics ? undefined : this.#window.nextRequest()
    const used = this.#usedAt(request?.time)
    this.#model = textIn(info, "id") ?? textIn(info, "modelId") ?? textIn(used, "model_id") ?? this.#model
    const { id, time = request?.time } = entryPlace(record, this.#id)
    const isTask = this.#head.isTask === true
    const isLostOfTask = isTask && this.#agent.startsWith("cline") && content.some(({ type }) => type === "toolCall")
    this.#writer.message(
      { id, time },
      {
        role: "assistant",
        content,
        ...details,
        provider:
          textIn(info, "provider") ?? textIn(info, "providerId") ?? textIn(used, "model_provider_id") ?? "unknown",
        model: this.#model,
        usage: request?.usage ?? (metrics ? metricsUsage(metrics) : usageFields()),
        stopReason: content.some((block) => block.type === "toolCall" && (block as Json).name !== COMPLETED)
          ? "toolUse"
          : "stop",
        ...(!isTask && content.some(({ type }) => type === "thinking") && { foreignThinking: "omitted" }),
        ...(isLostOfTask && { lostResult: LOST_OF_TASK }),
      },
    )
  }

  /** The model that Cline noted last before a request; the first one where it noted none before. */
  #usedAt(time = 0): Json {
    const models = objectsIn(this.#head.models)
    return models.filter((model) => countIn(model, "ts") <= time).at(-1) ?? models[0] ?? {}
  }

  /** Cline 3 sends these messages in the place of all before. Of what was taken back since then, they are kept as they are. */
  #latestCompaction(record: Json): RecordOutcome {
    const messages = objectsIn(record.messages)
    if (!this.#lastKeys.includes(String(record.source_last_message_key))) return "kept"
    const { summary = "", generatedAt, tokensBefore } = objectIn(messages[0] ?? {}, "metadata") ?? {}
    const time = Number(generatedAt ?? Date.parse(String(record.updated_at)))
    this.#addCompaction({ id: "compaction", time }, String(summary), {
      sentAs: this.#sent(messages),
      tokensBefore: Number(tokensBefore ?? 0),
    })
    return "converted"
  }

  /** Roo Code and Kilo send what begins with the last summary. Until 2026 that was a reply, which keeps the calls whose results follow it. */
  #compaction(record: Json): void {
    for (const call of this.#calls.keys()) this.#hiddenCalls.add(call)
    const texts = recordBlocks(record.content).flatMap(({ type, text }) => (type === "text" ? [text] : []))
    const fields =
      record.role === "assistant" ? { sentAs: this.#sent([without(record, ["isSummary"])]) } : { verbatim: true }
    this.#addCompaction(entryPlace(record, this.#id), texts.join("\n"), fields)
  }

  #addCompaction(place: EntryPlace, summary: string, fields: object): void {
    this.#writer.add("compaction", place, { summary, firstKeptEntryId: place.id, tokensBefore: 0, ...fields })
  }

  /** What the model gets of messages that stand in the place of others. */
  #sent(messages: readonly Json[]): Message[] {
    const writer = new EntryWriter()
    const copy = new TasksConverter({ ...this.#session, writer, parts: [] }, this.#agent)
    copy.#head = { isTask: this.#head.isTask }
    copy.#model = this.#model
    for (const message of messages) copy.record(message, "message")
    for (const [call, name] of copy.#calls) {
      this.#calls.set(call, name)
      this.#hiddenCalls.delete(call)
    }
    const edits = new Map(copy.#replaced.map(({ targetId, replacement }) => [targetId, replacement]))
    return writer.entries.flatMap((entry) =>
      isEntry(entry, "message") ? [{ ...entry.message, ...edits.get(entry.id) } as Message] : [],
    )
  }
}

/** What lists of tasks say that one used. */
export const SUMS = ["tokensIn", "tokensOut", "cacheReads", "cacheWrites", "totalCost"]

/** What Cline 4 puts behind the messages of a task of former versions, when it goes on with one. */
const RESUMED_TASK = "Warning: this is a legacy conversation, which means tool names may have changed."

const KINDS: ReadonlySet<unknown> = new Set(["session", "message", "compaction", "edits"])

/** What the Clines before 3 give their model for a call without a result, such as the one that ended the task. */
const LOST_OF_TASK: LostResult = { text: "result missing", isError: false }

/** A call that ends a task has no result. */
const COMPLETED = "attempt_completion"

/** Of each block the newest text counts: `[message, [_, [[block, [[time, "text", [text]], …]], …]]]`. */
function editsIn(edits: unknown): Map<number, Map<number, string>> {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
  return new Map(
    list(edits).map((edit) => {
      const [message, [, blocks] = []] = list(edit) as [number, unknown[]?]
      const texts = list(blocks).flatMap((one) => {
        const [block, updates] = list(one)
        const [, type, [text] = []] = list(list(updates).at(-1)) as [unknown?, unknown?, unknown[]?]
        return type === "text" && typeof text === "string" ? [[Number(block), text] as const] : []
      })
      return [Number(message), new Map(texts)]
    }),
  )
}

/** What a sub-agent was asked. */
function promptIn(records: readonly Json[]): string {
  const first = records.find(({ record, role }) => record === "message" && role === "user")
  return textIn(records[0] ?? {}, "prompt") ?? (first ? contentText(first.content) : undefined) ?? ""
}
