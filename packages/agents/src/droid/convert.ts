import type { ContentBlock } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
  type EntryPlace,
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

const KEPT: ReadonlySet<string> = new Set(["agent_turn_outcome", "todo_state", "hook_execution", "session_end"])
const REMINDER = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/

/** The conversion of a session: messages of Anthropic's API, one behind the other. */
export class DroidConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #session: ConvertedRecords
  /** What is set for the session, and what it used. */
  readonly #settings: Json
  #start: Json | undefined
  #first: EntryPlace | undefined
  #firstPrompt: string | undefined
  readonly #names = new Map<string, string>()
  /** Each message, with the entry that the model gets of it first, unless that is a result. */
  readonly #messages: { readonly id: string; readonly entry: string | undefined }[] = []

  constructor(session: ConvertedRecords) {
    this.#session = session
    this.#writer = session.writer
    this.#settings = session.beside.find(isObject) ?? {}
  }

  kindOf({ type, message }: Json): string {
    const own = isObject(message) && message.visibility === "user_only"
    return own ? `${type}:user_only` : String(type)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "session_start") this.#start ??= record
    else if (kind === "compaction_state") this.#compaction(record)
    else if (kind === "message") this.#message(record, objectIn(record, "message") ?? {})
    else if (kind === "message:user_only") {
      this.#messages.push({ id: String(record.id), entry: undefined })
      return "kept"
    } else return KEPT.has(kind) ? "kept" : undefined
    return "converted"
  }

  end(): HeaderFields | undefined {
    const start = this.#start
    if (!start) return undefined
    const usage = usageFields(tokensOf(objectIn(this.#settings, "tokenUsage") ?? {}))
    // Of calls nothing is stored.
    if ((usage.totalTokens ?? 0) > 0)
      this.#writer.add("usage", { id: `${start.id}:usage` }, { ...this.#modelOf(this.#settings.model), usage })
    const titles = [textIn(start, "sessionTitle"), textIn(start, "title")]
    const title = titles.find((one) => one !== undefined && one !== PLACEHOLDER)
    const isNamed = start.isSessionTitleManuallySet === true || !isStartOf(title, this.#firstPrompt)
    const isPart = start.callingSessionId !== undefined
    const parent = isPart ? undefined : textIn(start, "parent")
    return {
      id: this.#session.id,
      timestamp: isoTime(Date.parse(String(start.timestamp)) || (this.#first?.time ?? 0)),
      cwd: textIn(start, "cwd"),
      title: isNamed ? title : undefined,
      parentSession: parent,
      source: { archived: textIn(this.#settings, "archivedAt") !== undefined },
    }
  }

  #message({ id, timestamp }: Json, message: Json): void {
    const place = { id: String(id), time: Date.parse(String(timestamp)) }
    this.#first ??= place
    const all = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
    const blocks = objectsIn(all)
    const content = blocks.filter(({ type }) => type !== "tool_result").flatMap(blockOf)
    let entry: string | undefined
    if (message.role === "assistant") entry = this.#reply(place, content, message)
    else {
      for (const block of blocks) if (block.type === "tool_result") this.#result(place, block)
      if (content.length > 0) entry = this.#prompt(place, content, message)
      if (content.length < blocks.length) entry = undefined
    }
    this.#messages.push({ id: place.id, entry })
  }

  #prompt(place: EntryPlace, content: ContentBlock[], { role, visibility }: Json): string {
    const own = content.filter((block) => !REMINDER.test(textOf([block])))
    const isSaid = role === "user" && visibility !== "llm_only" && own.length > 0
    if (!isSaid)
      return this.#writer.add("custom_message", place, { customType: "droid.context", content, display: false })
    this.#firstPrompt ??= textOf(own)
    const typed = own.length < content.length ? { prompt: textOf(own) } : {}
    return this.#writer.message(place, { role: "user", content, ...typed })
  }

  #reply(place: EntryPlace, said: ContentBlock[], message: Json): string {
    const { openaiEncryptedContent, openaiReasoningId, openaiReasoningSummary } = message
    const summary = openaiReasoningSummary ? [{ type: "summary_text", text: openaiReasoningSummary }] : []
    const item = { type: "reasoning", id: openaiReasoningId, summary, encrypted_content: openaiEncryptedContent }
    const thought = {
      type: "thinking",
      thinking: String(openaiReasoningSummary ?? ""),
      thinkingSignature: JSON.stringify(item),
    }
    const content: ContentBlock[] = openaiEncryptedContent ? [thought, ...said] : said
    for (const { type, id, name } of objectsIn(message.content))
      if (type === "tool_use") this.#names.set(String(id), String(name))
    const isCall = content.some(({ type }) => type === "toolCall")
    const thinking = objectsIn(message.content).find(({ signatureProvider }) => signatureProvider !== undefined)
    const model = this.#modelOf(message.modelId ?? this.#settings.model, thinking?.signatureProvider)
    const reply = { content, ...model, usage: usageFields(), stopReason: isCall ? "toolUse" : "stop" }
    return this.#writer.message(place, { role: "assistant", ...reply })
  }

  #modelOf(model: unknown, signedBy?: unknown): { provider: string; model: string } {
    const { apiProviderLock, providerLock } = this.#settings
    return {
      provider: String(signedBy ?? providerLock ?? apiProviderLock ?? "factory"),
      model: typeof model === "string" ? model : "unknown",
    }
  }

  #result({ id, time }: EntryPlace, { tool_use_id, content, is_error }: Json): void {
    const toolCallId = String(tool_use_id)
    const toolName = this.#names.get(toolCallId) ?? "unknown"
    const said = (typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)).flatMap(blockOf)
    const result = { toolCallId, toolName, content: said, isError: is_error === true }
    this.#writer.message({ id: `${id}:${toolCallId}`, time }, { role: "toolResult", ...result })
    const [, child] = (toolName === "Task" && /^session_id: ([\w-]+)$/m.exec(textOf(said))) || []
    if (child !== undefined)
      this.#writer.part(
        { id: `${id}:${toolCallId}:part`, time },
        { name: `${child}.jsonl`, role: "subagent", call: toolCallId },
      )
  }

  /** Behind the summary the model gets what follows a message, but for results first of all. */
  #compaction(record: Json): void {
    const { id, timestamp, summaryText, systemInfoText, summaryKind } = record
    const { id: anchor, index } = objectIn(record, "anchorMessage") ?? {}
    const found = anchor === undefined ? Number(index ?? -1) : this.#messages.findIndex((one) => one.id === anchor)
    const kept = this.#messages.slice(found + 1).find(({ entry }) => entry !== undefined)?.entry
    const place = { id: String(id), time: Date.parse(String(timestamp)) }
    const system = typeof systemInfoText === "string" ? [{ type: "text", text: systemInfoText }] : []
    const content =
      summaryKind === "provider_switch_serialization"
        ? [...system, { type: "text", text: serialized(String(summaryText)) }]
        : [{ type: "text", text: summarized(String(summaryText)) }, ...system]
    this.#writer.add("compaction", place, {
      summary: String(summaryText),
      sentAs: [{ role: "user", content, timestamp: place.time }],
      firstKeptEntryId: kept ?? place.id,
      tokensBefore: 0,
    })
  }
}

function summarized(summary: string): string {
  return `A previous instance of Droid has summarized the conversation thus far as follows:\n\n<summary>\n${summary}\n</summary>\n\nIMPORTANT: This summary was created by a previous instance of Droid. Files referenced in the summary may not be available until you explicitly view them again.`
}

/** What was said before the session went on with a model of another provider. */
function serialized(said: string): string {
  const longest = (said.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = "`".repeat(longest + 1)
  return `The following prefix of this conversation has been serialized to maintain compatibility across model providers.\n\n${fence}text\n${said}\n${fence}\n\nWhen making tool calls, always use your native tool calling schema \u2014 do not replicate the text format shown in the transcript above.`
}

function blockOf(block: Json): ContentBlock[] {
  const { type, id, name, input, thinking, signature, data } = block
  if (type === "tool_use")
    return [{ type: "toolCall", id: String(id), name: String(name), arguments: callArguments(input) }]
  if (type === "thinking") {
    const signed = typeof signature === "string" && signature !== "" && { thinkingSignature: signature }
    return [{ type: "thinking", thinking: String(thinking), ...signed }]
  }
  if (type === "redacted_thinking")
    return [{ type: "thinking", thinking: "", thinkingSignature: String(data), redacted: true }]
  const source = objectIn(block, "source")
  if (type === "image" && typeof source?.data === "string")
    return [{ type: "image", data: source.data, mimeType: String(source.media_type ?? source.mediaType) }]
  return [block as unknown as ContentBlock]
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => textIn(block as unknown as Json, "text") ?? "").join("")
}

/** The title of a session that has none yet. */
const PLACEHOLDER = "New Session"

/** Whether a title is no more than how a prompt begins. */
function isStartOf(title: string | undefined, prompt = ""): boolean {
  return title === undefined || prompt.trim().startsWith(title.replace(/(?:\.{3}|…)$/, "").trim())
}

function tokensOf(tokens: Json) {
  return {
    input: countIn(tokens, "inputTokens"),
    output: countIn(tokens, "outputTokens"),
    cacheRead: countIn(tokens, "cacheReadTokens"),
    cacheWrite: countIn(tokens, "cacheCreationTokens"),
  }
}
