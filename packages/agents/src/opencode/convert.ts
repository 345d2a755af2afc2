import type { ContentBlock, LostResult } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
  type EntryWriter,
  type HeaderFields,
  isObject,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  type RecordConverter,
  type RecordOutcome,
  type Reply,
  textIn,
  usageFields,
} from "../kit.js"
import {
  addPart,
  entryPlace,
  fileBlocks,
  isSummary,
  opaqueIn,
  QUESTION,
  stopOf,
  textBlocks,
  thinkingBlock,
} from "./blocks.js"
import { addSecondMessage } from "./second-message.js"

/** Names that opencode gives before the model has found one. */
const UNNAMED = /^(?:New|Child) session - \d{4}-/
/** What opencode sends instead of a result that it cleared, and of one that never came. */
const CLEARED = "[Old tool result content cleared]"
const LOST: LostResult = { text: "[Tool execution was interrupted]", isError: true }
/** What it sends before the files of results, where an API has no place for them in a result. */
const CHAT = { files: "Attached media from tool result:" }

/** The conversion of the rows of a session. */
export class OpencodeConverter implements RecordConverter {
  readonly #agent: string
  readonly #writer: EntryWriter
  readonly #report: ConvertedRecords["report"]
  #session: Json | undefined
  /** The times of messages that are counted in another session. */
  readonly #copies = new Set<unknown>()
  #message: Json | undefined
  /** Of all parts of the message. */
  #partIds: unknown[] = []
  #parts: Json[] = []
  /** The ends of the steps of that message. */
  #steps: Json[] = []
  /** The first entry of each message. */
  readonly #entries = new Map<string, string>()
  /** Prompts of compactions, by id. */
  readonly #compactions = new Map<string, { readonly prompt: Json; readonly part: Json }>()
  /** The last of them, while its summary has not come. */
  #asked: Json | undefined
  /** Models whose replies show that their API is not one for chats. */
  readonly #notForChats = new Set<string>()
  /** The end of the path, where the user took messages back. */
  #leaf: string | null | undefined
  /** Of a question before these records, or a model of which only an earlier reply may show what API it has. */
  isLacking = false

  /** @param agent the name of the agent, since relatives of opencode write the same */
  constructor(agent: string, { writer, report }: ConvertedRecords) {
    this.#agent = agent
    this.#writer = writer
    this.#report = report
  }

  kindOf({ table, data, type: column }: Json): string {
    if (table === "session") return "session"
    const value = parsedObject(String(data))
    if (!value) return DAMAGED
    const { type, role } = value
    return `${String(table)}:${String(column ?? (table === "part" ? type : role) ?? "none")}`
  }

  record(row: Json, kind: string): RecordOutcome {
    if (row.table === "session") {
      this.#session = row
      for (const { time } of objectsIn(row.copies)) this.#copies.add(time)
      return "converted"
    }
    const { id, time_created } = row
    const value: Json = { ...parsedData(row.data), id, time_created }
    if (kind === DAMAGED) {
      const message = `The row ${String(id)} of the table ${String(row.table)} has no JSON object`
      this.#report({ kind: "invalid-json", entryId: String(id), message })
    }
    if (row.table === "left_out") return this.#addUncopied(value)
    if (row.table === "session_message") {
      this.#findLeaf(value)
      if (kind === DAMAGED) return "kept"
      return addSecondMessage(this.#writer, String(row.type), value, this.#usageOf(value))
    }
    if (row.table === "message") {
      this.#flush()
      this.#message = ROLES.has(value.role) ? value : undefined
      return this.#message ? "converted" : kind === DAMAGED ? "kept" : undefined
    }
    if (kind === DAMAGED || !this.#message) return "kept"
    this.#partIds.push(id)
    if (kind === "part:step-finish") this.#steps.push(value)
    const skipped = SKIPPED[kind]
    if (skipped !== undefined) return { skipped }
    if (KEPT.has(kind)) return "kept"
    if (!CONVERTED.has(kind)) return undefined
    this.#parts.push(value)
    return "converted"
  }

  end(): HeaderFields | undefined {
    this.#flush()
    this.#addQuestion()
    if (this.#leaf !== undefined) this.#writer.leaf = this.#leaf
    const session = this.#session
    if (!session) return undefined
    const title = textIn(session, "title")
    const worktree = textIn(session, "worktree")
    const repository = worktree === "/" ? undefined : worktree
    const [copy = {}] = objectsIn(session.copies)
    const parent = textIn(session, "parent_id") ?? textIn(session, "fork_session_id") ?? textIn(copy, "origin")
    return {
      id: String(session.id),
      timestamp: isoTime(countIn(session, "time_created")),
      // What was taken over from the first versions has the folder of its project alone.
      cwd: textIn(session, "directory") || repository,
      title: title !== undefined && UNNAMED.test(title) ? undefined : title,
      parentSession: parent,
      source: {
        kind: textIn(session, "parent_id") && "subtask",
        version: textIn(session, "version"),
        repository,
        archived: Number(session.time_archived) > 0,
      },
    }
  }

  /** Adds the message whose parts were all read. */
  #flush(): void {
    const [last, ids, parts, steps] = [this.#message, this.#partIds, this.#parts, this.#steps]
    this.#message = undefined
    this.#partIds = []
    this.#parts = []
    this.#steps = []
    if (!last) return
    const message = withSteps(last, steps)
    if (!this.#isSummary(message)) this.#addQuestion()
    const { messageID, partID } = parsedData(this.#session?.revert)
    const before = new Set(messageID === message.id ? ids.slice(0, Math.max(ids.indexOf(partID), 0)) : [])
    const kept = parts.filter(({ id }) => before.has(id))
    if (kept.length > 0) {
      // What stands before the part that was taken back, of whatever kind, stays.
      this.#addMessage(message, kept)
      this.#leaf = this.#writer.leaf
      const taken = parts.slice(kept.length)
      const rest = { ...message, id: `${String(message.id)}:${String(partID)}`, tokens: undefined }
      if (taken.length > 0) this.#addMessage(rest, taken)
      return
    }
    this.#findLeaf(message)
    this.#addMessage(message, parts)
  }

  #addMessage(message: Json, parts: readonly Json[]): void {
    const { entries } = this.#writer
    const count = entries.length
    if (message.role === "user") this.#addPrompt(message, parts)
    else if (message.role === "assistant" && this.#isSummary(message)) this.#addSummary(message, parts)
    else if (message.role === "assistant") this.#addReply(message, parts)
    const first = entries[count]
    if (first) this.#entries.set(String(message.id), first.id)
  }

  /** A message that the user took back, and all behind it, is behind the leaf. */
  #findLeaf({ id }: Json): void {
    if (this.#leaf === undefined && parsedData(this.#session?.revert).messageID === id) this.#leaf = this.#writer.leaf
  }

  #addPrompt(message: Json, parts: readonly Json[]): void {
    const part = parts.find(({ type }) => type === "compaction")
    if (part) this.#compactions.set(String(message.id), { prompt: message, part })
    this.#asked = part && message
    const content = parts.flatMap(promptBlocks)
    const typed = parts.filter(({ type, synthetic }) => type === "text" && synthetic !== true)
    if (part || content.length === 0) return
    const command = typed.map(commandIn).find((one) => one !== undefined)
    const text = typed.map((part) => textIn(part, "text") ?? "").join("\n")
    const prompt = (command !== undefined || typed.length < parts.length) && { prompt: command ?? text }
    if (typed.length === 0 && parts.every(({ type }) => type === "text")) {
      const fields = { customType: "opencode.synthetic", content, display: false }
      this.#writer.add("custom_message", entryPlace(message), fields)
    } else this.#writer.message(entryPlace(message), { role: "user", content, ...prompt })
  }

  /** A prompt of a compaction that has no summary is one like others. */
  #addQuestion(): void {
    const prompt = this.#asked
    this.#asked = undefined
    if (!prompt) return
    const fields = { customType: "opencode.compaction", content: QUESTION, display: false }
    this.#entries.set(String(prompt.id), this.#writer.add("custom_message", entryPlace(prompt), fields))
  }

  #isSummary(message: Json): boolean {
    const isAsked = this.#compactions.has(String(message.parentID))
    if (isSummary(message) && !isAsked) this.isLacking = true
    return isSummary(message) && isAsked
  }

  /** Of what opencode 2 did not copy, the usage alone is nowhere else. */
  #addUncopied(message: Json): RecordOutcome {
    const usage = this.#usageOf(message)
    if (usage.totalTokens === 0) return { skipped: "a message that opencode 2 did not copy" }
    const role = message.summary === true && { role: "compaction" }
    this.#writer.add("usage", entryPlace(message), { ...modelOf(message), ...role, usage })
    return "converted"
  }

  /** A compaction is a prompt and the reply to it: the summary. */
  #addSummary(message: Json, parts: readonly Json[]): void {
    const { prompt, part } = this.#compactions.get(String(message.parentID)) ?? { prompt: message, part: {} }
    this.#asked = undefined
    const { id, time } = entryPlace(message)
    const tail = this.#entries.get(String(part.tail_start_id))
    const summary = parts.flatMap((part) => (part.type === "text" ? (textIn(part, "text") ?? []) : [])).join("\n")
    const usage = this.#usageOf(message)
    const tokensBefore = usage.input + usage.cacheRead + usage.cacheWrite
    const question = { role: "user", content: [{ type: "text", text: QUESTION }], timestamp: entryPlace(prompt).time }
    const reply = { ...this.#replyOf(message, parts), usage: usageFields(), request: "rebuilt", timestamp: time }
    const fields = { summary, firstKeptEntryId: tail ?? id, tokensBefore, ...modelOf(message), usage }
    this.#writer.add("compaction", { id, time }, { ...fields, sentAs: [question, reply] })
    // The answer to a question that failed first.
    const targetId = this.#entries.get(String(prompt.id))
    if (targetId !== undefined)
      this.#writer.add("context_edit", { id: `${targetId}:omitted` }, { targetId, replacement: null })
  }

  #addReply(message: Json, parts: readonly Json[]): void {
    const before = this.#writer.entries.length
    this.#writer.message(entryPlace(message), this.#replyOf(message, parts))
    for (const call of parts) if (call.type === "tool") this.#addResult(call)
    if (isSent(objectIn(message, "error"), parts)) return
    for (const { id: targetId, type } of this.#writer.entries.slice(before))
      if (type === "message")
        this.#writer.add("context_edit", { id: `${targetId}:omitted` }, { targetId, replacement: null })
  }

  #replyOf(message: Json, parts: readonly Json[]): Reply {
    const error = objectIn(message, "error")
    // Kilo puts warnings of its own into replies, and does not send them.
    const sent = this.#agent === "kilo" ? parts.filter(({ ignored }) => ignored !== true) : parts
    const content = sent.flatMap((part) => replyBlocks(part, parts))
    const hasCalls = content.some(({ type }) => type === "toolCall")
    const { provider, model } = modelOf(message)
    if (!isOfChats(message, parts)) this.#notForChats.add(`${provider}/${model}`)
    const mayBeForChats = !this.#notForChats.has(`${provider}/${model}`)
    if (mayBeForChats) this.isLacking = true
    return {
      role: "assistant",
      content,
      ...modelOf(message),
      usage: this.#usageOf(message),
      stopReason: stopReason(message, error, hasCalls),
      ...(hasCalls && { lostResult: LOST }),
      ...(content.some(({ type }) => type === "thinking") && { foreignThinking: "text" }),
      ...(mayBeForChats && { chat: CHAT }),
      ...(error && { errorMessage: errorText(error) }),
    }
  }

  #addResult(part: Json): void {
    const state = objectIn(part, "state") ?? {}
    const [input, metadata, time] = [objectIn(state, "input"), objectIn(state, "metadata"), objectIn(state, "time")]
    const output = resultText(state, metadata, time)
    const files = time?.compacted === undefined ? objectsIn(state.attachments).flatMap(fileBlocks) : []
    const toolCallId = String(part.callID)
    const place = { id: String(part.id), time: (time && countIn(time, "end")) || countIn(part, "time_created") }
    if (output !== undefined)
      this.#writer.message(place, {
        role: "toolResult",
        toolCallId,
        toolName: String(part.tool),
        content: [{ type: "text", text: output }, ...files],
        ...(metadata && { details: metadata }),
        isError: state.status !== "completed" && metadata?.interrupted !== true,
      })
    addPart(this.#writer, place, toolCallId, metadata && textIn(metadata, "sessionId"), input)
  }

  /** A fork repeats messages that are older than itself: they count where they were said, as long as that is there. */
  #usageOf(message: Json) {
    const tokens = tokensIn(message)
    if (!tokens || this.#copies.has(message.time_created)) return usageFields()
    const { input, output, reasoning, cacheRead, cacheWrite } = tokens
    const counts = { input, output: output + reasoning, cacheRead, cacheWrite }
    const usage = usageFields({ ...counts, cost: countIn(message, "cost") })
    return { ...usage, ...(reasoning > 0 && { reasoning }) }
  }
}

const DAMAGED = "damaged"

/** The command that was typed, of which Kilo sends the text in this part. */
function commandIn({ metadata }: Json): string | undefined {
  const { kilo } = isObject(metadata) ? metadata : {}
  return textIn(objectIn(isObject(kilo) ? kilo : {}, "injected") ?? {}, "title")
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant"])

const CONVERTED: ReadonlySet<string> = new Set(
  ["text", "file", "reasoning", "tool", "compaction", "subtask"].map((type) => `part:${type}`),
)

const KEPT: ReadonlySet<string> = new Set(["part:patch", "part:agent", "part:retry", "part:snapshot"])

const SKIPPED: Readonly<Record<string, string>> = {
  "part:step-start": "the start of a step of a reply",
  "part:step-finish": "the end of a step of a reply, whose usage the message gets",
}

/** A message has the tokens of its last step, and none where opencode was killed before it wrote them. */
function withSteps(message: Json, steps: readonly Json[]): Json {
  const used = steps.flatMap((step) => tokensIn(step) ?? [])
  const sumOf = (name: keyof Tokens): number => used.reduce((sum, one) => sum + one[name], 0)
  const [input, output, reasoning] = [sumOf("input"), sumOf("output"), sumOf("reasoning")]
  const cache = { read: sumOf("cacheRead"), write: sumOf("cacheWrite") }
  if (input + output + cache.read + cache.write === 0) return message
  const sum = steps.reduce((sum, step) => sum + countIn(step, "cost"), 0)
  return {
    ...message,
    cost: Math.max(countIn(message, "cost"), sum),
    tokens: { input, output, reasoning, cache },
  }
}

type Tokens = Record<"input" | "output" | "reasoning" | "cacheRead" | "cacheWrite", number>

/** What a message or a step used. Older versions have the reasoning of some models in the output, too: the total says so. */
function tokensIn(message: Json): Tokens | undefined {
  const tokens = objectIn(message, "tokens")
  if (!tokens) return undefined
  const [input, said] = [countIn(tokens, "input"), countIn(tokens, "output")]
  const cache = objectIn(tokens, "cache") ?? {}
  const [cacheRead, cacheWrite] = [countIn(cache, "read"), countIn(cache, "write")]
  const total = countIn(tokens, "total")
  const isInOutput = total > 0 && total === input + said + cacheRead + cacheWrite
  const reasoning = isInOutput ? Math.min(said, countIn(tokens, "reasoning")) : countIn(tokens, "reasoning")
  return { input, output: isInOutput ? said - reasoning : said, reasoning, cacheRead, cacheWrite }
}

function parsedData(data: unknown): Json {
  return typeof data === "string" ? (parsedObject(data) ?? {}) : {}
}

function modelOf(message: Json): { provider: string; model: string } {
  return { provider: textIn(message, "providerID") ?? "unknown", model: textIn(message, "modelID") ?? "unknown" }
}

function promptBlocks(part: Json): ContentBlock[] {
  if (part.type === "text")
    return part.ignored === true || !textIn(part, "text") ? [] : [{ type: "text", text: String(part.text) }]
  if (part.type === "file") return fileBlocks(part)
  return part.type === "subtask" ? [{ type: "text", text: "The following tool was executed by the user" }] : []
}

function replyBlocks(part: Json, parts: readonly Json[]): ContentBlock[] {
  const text = typeof part.text === "string" ? part.text : ""
  if (part.type === "text") return textBlocks(text)
  if (part.type === "reasoning") {
    const [item, ...others] = summariesOf(part, parts)
    return item === part
      ? [
          thinkingBlock(
            [part, ...others].map((one) => String(one.text ?? "")),
            opaqueIn(part.metadata),
          ),
        ]
      : []
  }
  if (part.type !== "tool") return []
  const { input } = objectIn(part, "state") ?? {}
  return [{ type: "toolCall", id: String(part.callID), name: String(part.tool), arguments: callArguments(input) }]
}

/** The parts of a reasoning item of OpenAI, each with one of its summaries; of other reasoning, the part alone. */
function summariesOf(part: Json, parts: readonly Json[]): readonly Json[] {
  const item = opaqueIn(part.metadata).itemId
  if (typeof item !== "string") return [part]
  return parts.filter(({ type, metadata }) => type === "reasoning" && opaqueIn(metadata).itemId === item)
}

/**
 * Whether a reply can come from an API for chats. The database does not say which API it is: what the others return with their parts is stored as their
 * metadata, they have ids of calls of their own, or say what they wrote to a cache.
 */
function isOfChats(message: Json, parts: readonly Json[]): boolean {
  const { provider, model } = modelOf(message)
  if (/anthropic|claude/i.test(`${provider}/${model}`)) return false
  if (countIn(objectIn(objectIn(message, "tokens") ?? {}, "cache") ?? {}, "write") > 0) return false
  return !parts.some(({ callID, metadata }) => {
    const apis = Object.keys(isObject(metadata) ? metadata : {}).filter((name) => isObject((metadata as Json)[name]))
    return apis.some((name) => !CHATS.has(name)) || /^toolu|^tooluse/.test(String(callID))
  })
}

/** Under these names APIs for chats return something. */
const CHATS: ReadonlySet<string> = new Set(["openrouter", "openaiCompatible"])

/** What the model gets as the result of a call; undefined while it runs. */
function resultText(state: Json, metadata: Json | undefined, time: Json | undefined): string | undefined {
  if (state.status === "completed") return time?.compacted === undefined ? String(state.output ?? "") : CLEARED
  if (state.status !== "error") return undefined
  const partial = metadata?.interrupted === true ? metadata.output : undefined
  return typeof partial === "string" ? partial : String(state.error ?? "")
}

/** Of replies that failed, only one that was interrupted is sent, with what it said or called. */
function isSent(error: Json | undefined, parts: readonly Json[]): boolean {
  if (!error) return true
  return error.name === ABORTED && parts.some(({ type }) => type !== "step-start" && type !== "reasoning")
}

const ABORTED = "MessageAbortedError"

/** A command of the user has no reason to end. */
function stopReason({ finish, time }: Json, error: Json | undefined, hasCalls: boolean): string {
  if (error) return error.name === ABORTED ? "aborted" : "error"
  const isComplete = isObject(time) && time.completed !== undefined
  return stopOf(finish ?? (isComplete ? (hasCalls ? "tool-calls" : "stop") : undefined), hasCalls)
}

function errorText(error: Json): string {
  return textIn(objectIn(error, "data") ?? {}, "message") ?? String(error.name)
}
