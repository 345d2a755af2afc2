import type { Usage } from "@treelog/session-core"
import { apiTokens, inputBlocks, partsOf, replyBlocks, responsesIn, textOf, tokensOf } from "../gemini/parts.js"
import {
  type ConvertedRecords,
  countIn,
  type EntryWriter,
  type HeaderFields,
  isObject,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { KEPT, PROMPTS, PROVIDERS, SHOWN, SIDE } from "./kinds.js"

/** The tool with which a model answers in the form that a program asked for. No reply follows. */
const ANSWER = "structured_output"

/** Where Qwen Code moves a session that is archived. */
const ARCHIVED = /[/\\]chats[/\\]archive[/\\][^/\\]+$/

/** What a call to the model used that no reply has reported yet. */
interface Called {
  readonly place: { readonly id: string; readonly time: number }
  readonly model: string
  readonly usage: Usage
}

/** The conversion of a session, or of the transcript of a sub-agent. */
export class QwenConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #session: ConvertedRecords
  /** The leaf behind each record, by its uuid: the parent of what follows it. */
  readonly #leaves = new Map<string, string | null>()
  #first: Json | undefined
  #last: Json | undefined
  #parent: string | undefined
  #title: string | undefined
  #provider = "unknown"
  /** As it was typed, before files were put into the prompt. */
  #typed: string | undefined
  #called: Called | undefined
  /** The last prompt, until something else is said. */
  #prompted: { readonly entry: string; readonly text: string } | undefined

  constructor(session: ConvertedRecords) {
    this.#session = session
    this.#writer = session.writer
  }

  kindOf({ type, subtype }: Json): string {
    return subtype === undefined ? String(type) : `${type}:${subtype}`
  }

  record(record: Json, kind: string): RecordOutcome {
    if (this.#last) this.#leaves.set(String(this.#last.uuid), this.#writer.leaf)
    this.#last = undefined
    if (typeof record.uuid !== "string" || typeof record.sessionId !== "string") return undefined
    this.#first ??= record
    this.#last = record
    this.#parent ??= textIn(objectIn(record, "forkedFrom") ?? {}, "sessionId")
    if (!SIDE.has(kind)) this.#goTo(record)
    if (record.type !== "system") this.#prompted = undefined
    const payload = objectIn(record, "systemPayload") ?? {}
    switch (kind) {
      case "assistant":
        return this.#reply(record)
      case "tool_result":
        return this.#results(record)
      case "system:chat_compression":
        return this.#compaction(record, payload)
      case "system:ui_telemetry":
        return this.#telemetry(record, objectIn(payload, "uiEvent") ?? {})
      case "system:custom_title":
        this.#title = textIn(payload, "customTitle") ?? this.#title
        this.#writer.add("session_info", entryPlace(record), { name: this.#title ?? "" })
        return "converted"
      case "system:parent_session":
        this.#parent = textIn(payload, "parentSessionId")
        return "converted"
      case "system:rewind":
        return "converted"
      case "system:slash_command":
        return this.#command(record, payload)
      case "user:realtime_message":
      case "assistant:realtime_message":
        return this.#spoken(record)
      case "system:at_command":
        this.#typed = textIn(payload, "userText")
        return "kept"
    }
    if (PROMPTS.has(kind)) return this.#prompt(record, kind, payload)
    return KEPT.has(kind) ? "kept" : undefined
  }

  end(): HeaderFields | undefined {
    const first = this.#first
    if (!first) return undefined
    const [version, branch] = [textIn(first, "version"), textIn(first, "gitBranch")]
    const isPart = first.isSidechain === true
    return {
      id: isPart ? this.#session.id : String(first.sessionId),
      timestamp: isoTime(entryPlace(first).time),
      cwd: textIn(first, "cwd"),
      title: this.#title,
      parentSession: this.#parent,
      source: {
        version,
        branch,
        archived: ARCHIVED.test(this.#session.key),
      },
    }
  }

  /** What follows hangs on the record that is named. Behind one that is missing, Qwen Code begins anew. */
  #goTo({ uuid, parentUuid }: Json): void {
    const before = this.#leaves.get(String(this.#leaves.has(String(uuid)) ? uuid : parentUuid))
    if (before === undefined && typeof parentUuid === "string") {
      const message = `The record before it, ${parentUuid}, is missing: the context begins here`
      this.#session.report({ kind: "missing-parent", entryId: String(uuid), message })
    }
    this.#writer.leaf = before ?? null
  }

  #prompt(record: Json, kind: string, payload: Json): RecordOutcome {
    this.#addCalled()
    const parts = messageParts(record)
    const content = inputBlocks(parts)
    if (kind !== "user" && kind !== "user:mid_turn_user_message") {
      const display = SHOWN.has(kind)
      this.#writer.add("custom_message", entryPlace(record), { customType: `qwen.${kind}`, content, display })
      return "converted"
    }
    const own = parts.filter(({ text }) => typeof text !== "string" || !text.startsWith("<system-reminder>"))
    const typed = textIn(payload, "displayText") ?? this.#typed ?? (own.length < parts.length ? textOf(own) : undefined)
    this.#typed = undefined
    const entry = this.#writer.message(entryPlace(record), {
      role: "user",
      content,
      ...(typed !== undefined && { prompt: typed }),
    })
    if (kind === "user" && parts.length === 1) this.#prompted = { entry, text: textOf(parts) }
    return "converted"
  }

  /** What a sub-agent used is counted by the session that started it. A copy in a fork has the id and the time of its original, so that it counts once. */
  #reply(record: Json): RecordOutcome {
    this.#called = undefined
    const usage = objectIn(record, "usageMetadata")
    const isCounted = usage && record.isSidechain !== true
    const content = replyBlocks(messageParts(record))
    this.#writer.message(entryPlace(record), {
      role: "assistant",
      content,
      provider: this.#provider,
      model: textIn(record, "model") ?? "unknown",
      usage: isCounted ? apiTokens(usage) : usageFields(),
      stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
      ...(content.some(({ type }) => type === "thinking") && { foreignThinking: "kept" }),
    })
    return "converted"
  }

  /** What was said by voice, to a model of its own: people see it, and the model of the session does not get it. */
  #spoken(record: Json): RecordOutcome {
    const content = inputBlocks(messageParts(record))
    const model = { provider: this.#provider, model: textIn(record, "model") ?? "unknown" }
    const reply = { role: "assistant", content, ...model, usage: usageFields(), stopReason: "stop" } as const
    this.#omit(
      this.#writer.message(entryPlace(record), record.type === "user" ? { role: "user", content } : reply),
      record,
    )
    return "converted"
  }

  #results(record: Json): RecordOutcome {
    const { resultDisplay, status } = objectIn(record, "toolCallResult") ?? {}
    const place = entryPlace(record)
    for (const { id, name, content, isError } of responsesIn(messageParts(record))) {
      const details = typeof resultDisplay === "object" && resultDisplay !== null && { details: resultDisplay }
      const failed = isError || status === "error" || status === "cancelled"
      const result = {
        role: "toolResult" as const,
        toolCallId: id,
        toolName: name,
        content,
        ...details,
        isError: failed,
        ...(name === ANSWER && !failed && { stopReason: "stop" }),
      }
      this.#writer.message(place, result)
      const child = objectIn(record, "toolCallResult")?.callId === id && childOf(id, resultDisplay)
      if (child) this.#writer.part({ ...place, id: `${place.id}:part` }, { ...child, role: "subagent", call: id })
    }
    return "converted"
  }

  /** The summary, then what else the model gets from now on. */
  #compaction(record: Json, payload: Json): RecordOutcome {
    const [summary, ...rest] = objectsIn(payload.compressedHistory)
    if (!summary) return "kept"
    this.#addCalled()
    const { id, time } = entryPlace(record)
    const tokensBefore = countIn(objectIn(payload, "info") ?? {}, "originalTokenCount")
    const fields = { summary: textOf(partsOf(summary.parts)), verbatim: true, firstKeptEntryId: id, tokensBefore }
    this.#writer.add("compaction", { id, time }, fields)
    for (const [at, { role, parts }] of rest.entries())
      this.#copy({ id: `${id}:${at + 1}`, time }, role, partsOf(parts))
    return "converted"
  }

  #copy(place: { id: string; time: number }, role: unknown, parts: readonly Json[]): void {
    const responses = responsesIn(parts)
    const model = { provider: this.#provider, model: "unknown", usage: usageFields() }
    const said = { ...model, stopReason: "stop", foreignThinking: "kept" } as const
    if (role === "model") this.#writer.message(place, { role: "assistant", content: replyBlocks(parts), ...said })
    else if (responses.length === 0) this.#writer.message(place, { role: "user", content: inputBlocks(parts) })
    else
      for (const { id, name, content, isError } of responses)
        this.#writer.message(place, { role: "toolResult", toolCallId: id, toolName: name, content, isError })
  }

  /** Says what each call to the model used. Replies say it again. */
  #telemetry(record: Json, event: Json): RecordOutcome {
    this.#provider = PROVIDERS.get(String(event.auth_type)) ?? textIn(event, "auth_type") ?? this.#provider
    if (event["event.name"] !== "qwen-code.api_response") return { skipped: "tells of what other records have" }
    const model = textIn(event, "model") ?? "unknown"
    const called = { place: entryPlace(record), model, usage: eventTokens(event) }
    if (event.subagent_name !== undefined) this.#addUsage(called, "subagent")
    else {
      this.#addCalled()
      this.#called = called
    }
    return "converted"
  }

  /** A command of the user, with what Qwen Code answered by itself. A prompt that is the command goes to no model then. */
  #command(record: Json, { phase, sentToModel, outputHistoryItems, rawCommand }: Json): RecordOutcome {
    const items = phase === "result" && Array.isArray(outputHistoryItems) ? objectsIn(outputHistoryItems) : []
    const isOnlyAnswered = items.length > 0 && items.every(({ type }) => type === "assistant")
    const isPrompt = this.#prompted?.text === rawCommand
    if (this.#prompted && isPrompt && isOnlyAnswered && sentToModel !== true) this.#omit(this.#prompted.entry, record)
    const texts = items.flatMap((item) => textIn(item, "text") ?? [])
    if (texts.length === 0) return "kept"
    const command = isPrompt ? [] : (textIn({ rawCommand }, "rawCommand") ?? [])
    this.#writer.notice(entryPlace(record), "qwen.command", [command, texts].flat().join("\n"))
    return "converted"
  }

  #omit(targetId: string, record: Json): void {
    const place = { id: `${targetId}:omitted`, time: entryPlace(record).time }
    this.#writer.add("context_edit", place, { targetId, replacement: null })
  }

  /**
   * A call without a reply, such as one that summarizes, counts too, when something else follows it: the last of a file may be one whose
   * reply is still to come.
   */
  #addCalled(): void {
    if (this.#called) this.#addUsage(this.#called)
    this.#called = undefined
  }

  #addUsage({ place, model, usage }: Called, role?: string): void {
    this.#writer.add("usage", place, { provider: this.#provider, model, ...(role && { role }), usage })
  }
}

/** The transcript of the sub-agent that a call started. */
function childOf(call: string, display: unknown): { name: string; title?: string } | undefined {
  const { type, subagentName, taskDescription } = isObject(display) ? display : {}
  if (type !== "task_execution") return undefined
  const name = `agent-${`${subagentName}-${call}`.replace(/[^\w-]/g, "_")}.jsonl`
  return { name, ...(typeof taskDescription === "string" && { title: taskDescription }) }
}

function entryPlace({ uuid, timestamp }: Json): { id: string; time: number } {
  return { id: String(uuid), time: Date.parse(String(timestamp)) }
}

function messageParts(record: Json): Json[] {
  return partsOf(objectIn(record, "message")?.parts)
}

function eventTokens(event: Json): Usage {
  return tokensOf({
    prompt: countIn(event, "input_token_count"),
    cached: countIn(event, "cached_content_token_count"),
    output: countIn(event, "output_token_count"),
    thoughts: countIn(event, "thoughts_token_count"),
    tool: countIn(event, "tool_token_count"),
    total: countIn(event, "total_token_count"),
  })
}
