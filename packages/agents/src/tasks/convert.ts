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
  parsedObject,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
  without,
} from "../kit.js"
import { resultBlocks, sentBlock, sentResult } from "./sent-blocks.js"

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
  /** Requests, in their order, of which the messages have neither usage nor, in Cline, time and model. */
  readonly #requests: { readonly time: number | undefined; readonly usage: Usage }[] = []
  /** What calls used that no message is the reply to. */
  readonly #others: { readonly time: number | undefined; readonly role?: string; readonly usage: Usage }[] = []
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
  /** The last message that Cline no longer sends: it leaves out those between the first two and the next. */
  #cutTo = -1
  /** Texts that Cline sends in the place of those of blocks, by the numbers of messages and blocks. */
  #edits: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map()
  #count = 0
  /** What the next reply begins with. */
  #reasoning: ContentBlock[] = []
  /** What is sent in the place of entries. */
  readonly #replaced: { readonly targetId: string; readonly replacement: { content: ContentBlock[] } | null }[] = []

  /** What the window says of requests that failed, until the message behind it. */
  readonly #errors: { readonly time: number | undefined; readonly error: string }[] = []

  readonly #session: ConvertedRecords

  constructor(session: ConvertedRecords, agent: string) {
    const { writer, id, cwd, facts, parts } = session
    this.#session = session
    this.#writer = writer
    this.#folder = cwd
    this.#listed = facts
    this.#id = id
    this.#agent = agent
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
    if (kind !== "message") return this.#shown(record, kind)
    const number = this.#count++
    if (record.type === "reasoning") {
      const [reasoning] = reasoningBlocks(record)
      if (reasoning) this.#reasoning.push(reasoning)
      return reasoning ? "converted" : "kept"
    }
    if (record.role !== "user" && record.role !== "assistant") return undefined
    this.#first ??= record
    if (!recordBlocks(record.content).some(({ type }) => type === "tool_result"))
      this.#addErrors(
        entryPlace(record, "").time ?? (record.role === "assistant" ? this.#requests[0]?.time : undefined),
      )
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
    // Requests without a reply count too.
    for (const { time, usage } of this.#requests) addUsage({ usage }, time)
    for (const { time, ...used } of this.#others) addUsage(used, time)
    // Where nothing says what the requests used, their sum does.
    if (SUMS.some((sum) => countIn(item, sum) > 0) && !this.#writer.entries.some((one) => usagesOf(one).length > 0))
      addUsage({ usage: this.#usageOf({ ...item, cost: item.totalCost }) })
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
    const isCut = number >= 2 && number <= this.#cutTo
    const cut = isCut ? added : this.#cutTo > 0 && number === this.#cutTo + 1 ? added.filter(isResult) : []
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
    while (this.#errors[0] && (this.#errors[0].time ?? 0) < time) {
      const { error, ...place } = this.#errors.shift() as { error: string; time: number | undefined }
      this.#writer.notice({ id: "error", ...place }, `${this.#agent}.error`, error)
    }
  }

  /** Of what a window shows, only usage, errors and the last cut are nowhere else. */
  #shown(record: Json, kind: string): RecordOutcome {
    const [, cutTo] = Array.isArray(record.conversationHistoryDeletedRange)
      ? record.conversationHistoryDeletedRange
      : []
    this.#cutTo = Number.isInteger(cutTo) ? cutTo : -1
    const shortened = objectIn(record, "contextCondense") ?? objectIn(record, "contextTruncation")
    const { time } = entryPlace(record, this.#id)
    const cost = countIn(shortened ?? {}, "cost")
    // Of what shortened the context, the cost alone is there.
    if (cost > 0) this.#others.push({ time, role: "compaction", usage: usageFields({ cost }) })
    const isError = ERRORS.has(kind)
    if (!isError && !COUNTED.has(kind))
      return cost > 0 ? "converted" : { skipped: "what the window shows of the messages" }
    const request = parsedObject(String(record.text)) ?? {}
    const error = isError ? (textIn(request, "message") ?? textIn(record, "text")) : errorOf(request)
    if (error !== undefined && error !== this.#errors.at(-1)?.error) this.#errors.push({ time, error })
    if (isError) return "converted"
    // As long as there is no answer, it has none.
    if (request.tokensIn === undefined) return { skipped: "a request without usage" }
    const usage = this.#usageOf(request)
    if (REQUESTS.has(kind)) this.#requests.push({ time, usage })
    else this.#others.push({ time, ...(kind === "say:subagent_usage" && { role: "subagent" }), usage })
    return "converted"
  }

  #usageOf(request: Json): Usage {
    const [all, output] = [countIn(request, "tokensIn"), countIn(request, "tokensOut")]
    const [cacheRead, cacheWrite] = [countIn(request, "cacheReads"), countIn(request, "cacheWrites")]
    // Roo Code and Kilo count what the cache has as input too; Cline does not.
    const cached = this.#agent.startsWith("cline") || all < cacheRead + cacheWrite ? 0 : cacheRead + cacheWrite
    return usageFields({ input: all - cached, output, cacheRead, cacheWrite, cost: countIn(request, "cost") })
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
      this.#cwd ??= WORKSPACES.map((before) => between(text, before, ") Files")).find((cwd) => cwd !== undefined)
      this.#model = between(text, "<model>", "</model>") ?? this.#model
    }
    const [first = ""] = texts
    const tags = first.startsWith("[ask_followup_question") ? [...TYPED, "answer"] : TYPED
    const typed = blocks.map(({ text }) => typedIn(String(text), tags)).find((text) => text !== undefined)
    if (typed === undefined && this.#head.isTask === true && OWN.test(first))
      this.#writer.add("custom_message", place, { customType: `${this.#agent}.result`, content, display: true })
    else this.#writer.message(place, { role: "user", content, ...(typed !== undefined && { prompt: typed }) })
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
    const request = metrics && "inputTokens" in metrics ? undefined : this.#requests.shift()
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

/** What the window shows where something failed. */
const ERRORS: ReadonlySet<string> = new Set(["ask:api_req_failed", "say:error", "say:condense_context_error"])

/** Why the answer to a request broke off, which Cline writes as JSON. */
function errorOf(request: Json): string | undefined {
  const error = textIn(request, "streamingFailedMessage")
  return error && (textIn(parsedObject(error) ?? {}, "message") ?? error)
}

/** Versions of 2024 note what a request used when it is finished. */
const REQUESTS: ReadonlySet<string> = new Set(["say:api_req_started", "say:api_req_finished"])
/** What the window shows of usage. */
const COUNTED: ReadonlySet<string> = new Set([
  ...[...REQUESTS, "say:subagent_usage"],
  // The sum of requests that were taken back: in Cline, and in Roo Code and Kilo.
  ...["say:deleted_api_reqs", "say:api_req_deleted"],
])

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

const WORKSPACES = ["# Current Workspace Directory (", "# Current Working Directory ("]

/** What stands between two texts in a line, the first time; undefined where nothing does. */
function between(text: string, before: string, after: string): string | undefined {
  for (const line of text.split("\n")) {
    const at = line.indexOf(before)
    const [from, to] = [at + before.length, at < 0 ? -1 : line.indexOf(after, at + before.length + 1)]
    if (to > 0) return line.slice(from, to)
  }
  return undefined
}

/** What the user typed stands in tags. */
const TYPED: readonly string[] = ["task", "user_message", "feedback", "user_input"]
/** How a message of versions begins whose calls were texts: with the result of one, or what the program says itself. */
const OWN = /^\[(?:ERROR\]|TASK RESUMPTION\]|\w+(?: for [\s\S]*?)?\] Result:)/

/** The content of the first of these tags that is closed; undefined without one. */
function typedIn(text: string, tags: readonly string[]): string | undefined {
  const found = tags.flatMap((tag) => {
    const opening = new RegExp(`<${tag}(?: [^<>]*)?>`).exec(text)
    const from = opening ? opening.index + opening[0].length : text.length
    const to = text.lastIndexOf(`</${tag}>`)
    return to < from ? [] : [{ from, typed: text.slice(from, to) }]
  })
  return found.sort((a, b) => a.from - b.from)[0]?.typed.trim()
}

/** Tags in what the user typed that Cline 3 does not send. */
const UNSENT_TAGS = ["user_input", "user_command"] as const

/** The text with what stands in a tag, or without its opening where it is not closed. */
function withoutTag(text: string, tag: string): string {
  if (!text.includes(`<${tag}`)) return text
  const opened = text.replace(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, "g"), "$1")
  return (opened === text ? text.replace(new RegExp(`<${tag}[^>]*>`, "g"), "") : opened).trim()
}

/** The blocks of what the user said. */
function promptBlocks(block: Json): ContentBlock[] {
  const { type, text } = block
  if (type !== "text" || typeof text !== "string") return contentBlocks(block)
  return contentBlocks({ type, text: UNSENT_TAGS.reduce(withoutTag, text) })
}

/** What a sub-agent was asked. */
function promptIn(records: readonly Json[]): string {
  const first = records.find(({ record, role }) => record === "message" && role === "user")
  return textIn(records[0] ?? {}, "prompt") ?? (first ? contentText(first.content) : undefined) ?? ""
}

/** The texts of a content; undefined where it has none. */
function contentText(content: unknown): string | undefined {
  const texts = recordBlocks(content)
    .flatMap(promptBlocks)
    .flatMap((block) => ("text" in block ? [String(block.text)] : []))
  return texts.length > 0 ? texts.join("\n") : undefined
}

function entryPlace({ id, ts }: Json, fallback: string): { id: string; time: number | undefined } {
  const time = typeof ts === "number" ? ts : undefined
  return { id: String(id ?? ts ?? fallback), time }
}

function recordBlocks(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
}

function contentBlocks(block: Json): ContentBlock[] {
  const text = typeof block.text === "string" ? block.text : ""
  const source = objectIn(block, "source")
  switch (block.type) {
    case "text":
      return text === "" ? [] : [{ type: "text", text }]
    case "thinking": {
      const signature = typeof block.signature === "string" && { thinkingSignature: block.signature }
      // What other providers gave with it, which each Cline names otherwise.
      const more = without(block, ["type", "thinking", "signature"])
      return [{ type: "thinking", thinking: String(block.thinking ?? ""), ...signature, ...more }]
    }
    case "redacted_thinking":
      return [{ type: "thinking", thinking: "", redacted: true, thinkingSignature: String(block.data) }]
    case "reasoning":
      return reasoningBlocks(block)
    case "thoughtSignature":
      return []
    case "tool_use": {
      const called = { id: String(block.id), name: String(block.name), arguments: objectIn(block, "input") ?? {} }
      const signature = textIn(block, "signature")
      return [{ type: "toolCall", ...called, ...(signature !== undefined && { thoughtSignature: signature }) }]
    }
    case "image":
      if (source?.type === "base64")
        return [{ type: "image", data: String(source.data), mimeType: String(source.media_type) }]
      return typeof block.data === "string"
        ? [{ type: "image", data: block.data, mimeType: String(block.mediaType) }]
        : []
    case "file":
      return [{ type: "text", text: `<file_content path="${block.path}">\n${block.content}\n</file_content>` }]
    default:
      return [block as unknown as ContentBlock]
  }
}

/** Reasoning as text, or as an item of OpenAI's API, which is kept as JSON. None where it has neither. */
function reasoningBlocks({ text, summary, encrypted_content, id }: Json): ContentBlock[] {
  const summaries = objectsIn(summary)
  const thinking = typeof text === "string" ? text : summaries.map((one) => one.text).join("\n")
  if (typeof encrypted_content !== "string") return thinking === "" ? [] : [{ type: "thinking", thinking }]
  const item = { type: "reasoning", ...(id !== undefined && { id }), summary: summaries, encrypted_content }
  return [{ type: "thinking", thinking, thinkingSignature: JSON.stringify(item) }]
}

/** A signature of Gemini's stands in a block of its own: it is that of the first call, else of the text. */
function signed(content: ContentBlock[], blocks: readonly Json[]): ContentBlock[] {
  const signature = blocks.map((block) => textIn(block, "thoughtSignature")).find((one) => one !== undefined)
  const call = content.find(({ type }) => type === "toolCall") ?? content.filter(({ type }) => type === "text").at(-1)
  if (signature === undefined || !call) return content
  const named = call.type === "toolCall" ? { thoughtSignature: signature } : { textSignature: signature }
  return content.map((block) => (block === call ? { ...block, ...named } : block))
}

/** The input has those of the cache. Tasks name the counts otherwise. */
function metricsUsage(metrics: Json): Usage {
  const tokens = objectIn(metrics, "tokens") ?? {}
  const count = (name: string, inTask: string): number => countIn(metrics, name) || countIn(tokens, inTask)
  const cacheRead = count("cacheReadTokens", "cached")
  const cacheWrite = countIn(metrics, "cacheWriteTokens")
  const input = Math.max(0, count("inputTokens", "prompt") - cacheRead - cacheWrite)
  const output = count("outputTokens", "completion")
  return usageFields({ input, output, cacheRead, cacheWrite, cost: countIn(metrics, "cost") })
}
