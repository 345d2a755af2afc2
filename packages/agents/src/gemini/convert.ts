import { basename } from "node:path"
import type { ContentBlock, SessionEntry } from "@treelog/session-core"
import {
  type ConvertedRecords,
  countIn,
  type EntryWriter,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import {
  inputOf,
  interruption,
  isAsSent,
  isContext,
  isLeftOut,
  isPrompt,
  isSame,
  isSummary,
  isUnanswered,
  itemsOf,
  type Message,
  matched,
  messageOf,
  type Pair,
  replyParts,
  responsesOf,
  resultsIn,
} from "./messages.js"
import { inputBlocks, partsOf, type Response, replyBlocks, textOf, tokensOf } from "./parts.js"
import { digestOf } from "./store.js"

/**
 * The conversion of a session. Gemini CLI keeps a list of messages: records add to it, write one of them again, take back what is behind one, or
 * replace it, also by the same messages under other ids. What stays in it stays where it is; what else a new list has is behind that.
 */
export class GeminiConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #session: ConvertedRecords
  readonly #provider: string
  /** In the order of the conversation. */
  #messages: Message[] = []
  /** The ids that messages and results have, or had: one that is new need not be looked for among thousands. */
  readonly #ids = new Set<string>()
  readonly #resultIds = new Set<string>()
  /** The ids of replies whose usage was counted. */
  readonly #counted = new Set<string>()
  #first: Json | undefined
  /** Whether the last header is not the first: a process that goes on within the same minute begins the same file again. */
  #isBegunAgain = false
  #isSession = false
  #title: string | undefined
  #cwd: string | undefined
  #model = "unknown"

  /** Prompts that are commands. */
  readonly #commands = new Set<string>()
  #hasPrompt = false

  /** @param provider of the models */
  constructor(session: ConvertedRecords, provider = "google") {
    this.#session = session
    this.#provider = provider
    this.#writer = session.writer
  }

  kindOf(record: Json): string {
    if ("$rewindTo" in record) return "$rewindTo"
    if ("$set" in record) return "$set"
    return "sessionId" in record && !("type" in record) ? "session" : String(record.type)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "session") {
      this.#isBegunAgain = this.#first !== undefined
      this.#first ??= record
      this.#title = textIn(record, "summary") ?? this.#title
      // As of older versions, all of a session in one line.
      for (const message of objectsIn(record.messages)) this.record(message, this.kindOf(message))
      return "converted"
    }
    if (kind === "$set") return this.#set(objectIn(record, "$set") ?? {})
    if (kind === "$rewindTo") return this.#rewind(String(record.$rewindTo))
    if (!KINDS.has(kind) || typeof record.id !== "string") return undefined
    return this.#message(record, record.id)
  }

  end(): HeaderFields | undefined {
    this.flush()
    this.#markCommands()
    const first: Json = this.#first ?? {}
    if (!this.#first && !this.#isSession) return undefined
    const name = basename(this.#session.key).replace(/\.jsonl?$/, "")
    // Older versions do not say which call they are of.
    for (const { name } of this.#session.parts) this.#writer.part({ id: name }, { name, role: "subagent" })
    return {
      // To go on with a session begins a file, which has nothing but what stands before the first prompt. The name ends with the start of the id.
      id: this.#isSession ? (textIn(first, "sessionId") ?? /-([0-9a-f]{8})$/.exec(name)?.[1] ?? name) : name,
      timestamp: textIn(first, "startTime") ?? textIn(this.#messages[0]?.record ?? {}, "timestamp") ?? isoTime(0),
      cwd: this.#cwd ?? this.#session.cwd ?? String((first.directories as unknown[] | undefined)?.[0] ?? ""),
      title: this.#title,
    }
  }

  /** Adds the entries of messages that have none. They can be written again, and replaced, until they are needed. */
  flush(): void {
    for (const message of this.#messages) {
      if (message.place) continue
      const { leaf: before, entries } = this.#writer
      const at = entries.length
      this.#write(message)
      message.place = { before, at, own: this.#writer.entries[at]?.id }
    }
  }

  #message(record: Json, id: string): RecordOutcome {
    const known = this.#ids.has(id) ? this.#messages.filter((one) => one.id === id).at(-1) : undefined
    if (!known) {
      if (isPrompt(record) && !isAsSent(record) && isUnanswered(this.#messages)) this.#add(interruption(record))
      this.#add(record)
    } else if (!known.place) known.record = record
    else if (isSame(known.record, record)) return { skipped: "repeats a message" }
    else this.#replace(this.#messages.map((one) => (one === known ? record : { ...one.record, id: one.id })))
    return "converted"
  }

  #add(record: Json, isStart = false): void {
    const message = messageOf(record, isStart)
    this.#ids.add(message.id)
    this.#messages.push(message)
    if (!isContext(record) && KINDS.has(String(record.type))) this.#isSession = true
  }

  #set(fields: Json): RecordOutcome {
    const title = textIn(fields, "summary")
    if (title !== undefined && title !== this.#title)
      this.#add({ type: TITLE, id: "summary", timestamp: fields.lastUpdated, name: title })
    this.#title = title ?? this.#title
    if (Array.isArray(fields.messages)) {
      const messages = objectsIn(fields.messages)
      if (this.#isBegunAgain && messages.every(isContext)) return { skipped: "begins a file that is there" }
      this.#isBegunAgain = false
      this.#replace(messages)
    } else if (title === undefined) return { skipped: "says when the session was last changed" }
    return "converted"
  }

  /** Removes the message that is named and all behind it. An unknown one removes all. */
  #rewind(id: string): RecordOutcome {
    this.flush()
    this.#cut(
      Math.max(
        0,
        this.#messages.findIndex((one) => one.id === id),
      ),
    )
    return "converted"
  }

  /** Leaves so many messages, all of which have their entries. */
  #cut(count: number): void {
    const first = this.#messages.splice(count).find(({ place }) => place?.own !== undefined)
    if (!first?.place) return
    this.#writer.leaf = first.place.before
    for (const message of this.#messages)
      for (const [target, { content, at }] of message.edits)
        if (at > first.place.at) this.#edit(message, target, content)
  }

  /** All messages at once: as they were, under other ids, shorter, after a compaction, or with results that were cut. */
  #replace(records: readonly Json[]): void {
    const { pairs, kept, omitted } = matched(records, this.#messages)
    const listed = new Set(records.map(({ id }) => String(id)))
    // Gemini CLI first adds the messages of a list one by one, where they get other ids.
    const left = this.#messages.splice(kept).filter(({ id, place }) => place || !listed.has(id))
    this.#messages.push(...left)
    const isLeft = left.some(({ record }) => itemsOf(record).length > 0)
    const rest = records.slice(pairs.length)
    for (const pair of pairs) this.#complete(pair)
    if (isLeft || omitted.length > 0 || pairs.some(isChanged)) this.flush()
    const summary = isLeft && isSummary(rest) ? rest.shift() : undefined
    if (isLeft && !summary) this.#cut(kept)
    for (const message of omitted) if (message.place?.own !== undefined) this.#edit(message, message.place.own, null)
    this.#change(pairs)
    if (summary) this.#compaction(summary)
    for (const record of rest) this.#add(record)
  }

  /** A reply is written again with the signatures of its parts. */
  #complete([record, [message, ...others]]: Pair): void {
    if (message && others.length === 0 && !message.place && record.type === "gemini")
      message.record = { ...message.record, content: record.content }
  }

  #change(pairs: readonly Pair[]): void {
    const ids = new Set<string>()
    for (const [record, messages] of pairs) {
      for (const { id, content } of resultsIn(record)) {
        const message = this.#messages.filter(({ results }) => results.has(id)).at(-1)
        const result = message?.results.get(id)
        if (ids.has(id) || !message || !result) continue
        ids.add(id)
        if (!isSame(result.content, content)) this.#edit(message, result.entry, content)
        result.content = content
      }
      for (const message of messages) {
        const own = message.place?.own
        const changed = isLeftOut(message) ? sentOf(record) : contentOf(record, message)
        if (own !== undefined && changed) this.#edit(message, own, changed)
        message.id = String(record.id)
        this.#ids.add(message.id)
        // A list does not say what a reply used.
        if (messages.length === 1) message.record = { ...message.record, ...record }
      }
    }
  }

  #edit(message: Message, targetId: string, content: ContentBlock[] | null): void {
    const replacement = content && { content }
    this.#writer.add("context_edit", { id: `${targetId}:edit` }, { targetId, replacement })
    message.edits.set(targetId, { content, at: this.#writer.entries.length })
  }

  /** The summary. What was said before the first prompt stays before it. */
  #compaction(record: Json): void {
    const before = this.#writer.leaf
    const starts = this.#messages
      .filter((one) => isContext(one.record) && !isLeftOut(one))
      .map(({ record, id }) => ({ ...record, id }))
    const place = entryPlace(record)
    const fields = {
      summary: textOf(partsOf(record.content)),
      verbatim: true,
      firstKeptEntryId: place.id,
      tokensBefore: 0,
    }
    const at = this.#writer.entries.length
    const own = this.#writer.add("compaction", place, fields)
    this.#messages = []
    for (const start of starts) this.#add(start, true)
    this.flush()
    this.#ids.add(place.id)
    this.#messages.push({ ...messageOf(record), place: { before, at, own } })
  }

  #write({ record, isStart, results }: Message): void {
    if (record.type === "gemini") this.#reply(record, results)
    else if (record.type === "user") this.#prompt(record, isStart, results)
    else if (record.type === TITLE) this.#writer.add("session_info", entryPlace(record), { name: record.name })
    else this.#writer.notice(entryPlace(record), `gemini.${record.type}`, textOf(partsOf(record.content)))
  }

  #prompt(record: Json, isStart: boolean, results: Message["results"]): void {
    const place = entryPlace(record)
    const { context, responses, said } = inputOf(record)
    if (context.length > 0) {
      this.#cwd ??= WORKSPACE.exec(textOf(context))?.[1]
      const placement = isStart && { placement: "start" }
      const content = inputBlocks(context)
      this.#writer.add("custom_message", place, { customType: "gemini.context", content, display: false, ...placement })
    }
    if (isStart) return
    // The reply before has had them already, as a rule.
    for (const result of responses) this.#result(result, place, results)
    if (said.length === 0 && (context.length > 0 || responses.length > 0)) return
    const typed = textOf(partsOf(record.displayContent))
    const id = this.#writer.message(place, {
      role: "user",
      content: inputBlocks(said),
      ...(typed !== "" && { prompt: typed }),
    })
    if (/^[/?]/.test(textOf(said))) this.#commands.add(id)
    else this.#hasPrompt = true
  }

  /** A command is what the session is about only where nothing else was said, as in Gemini CLI's own list. */
  #markCommands(): void {
    const { entries } = this.#writer
    for (const [at, entry] of this.#hasPrompt ? entries.entries() : [])
      if (this.#commands.has(entry.id) && entry.type === "message")
        entries[at] = { ...entry, message: { ...(entry.message as object), prompt: "" } } as SessionEntry
  }

  #reply(record: Json, results: Message["results"]): void {
    const place = entryPlace(record)
    const tokens = objectIn(record, "tokens")
    const calls = objectsIn(record.toolCalls)
    const parts = replyParts(record)
    if (this.#session.cwd === undefined) this.#cwd ??= folderIn(parts, this.#session.key)
    const content = replyBlocks(parts)
    const isCopy = this.#counted.has(place.id)
    if (tokens) this.#counted.add(place.id)
    this.#model = textIn(record, "model") ?? this.#model
    this.#writer.message(place, {
      role: "assistant",
      content,
      provider: this.#provider,
      model: this.#model,
      usage: tokens && !isCopy ? tokensIn(tokens) : usageFields(),
      stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
      ...(content.some(({ type }) => type === "thinking") && { foreignThinking: "omitted" }),
    })
    for (const [at, call] of calls.entries()) {
      const display = objectIn(call, "resultDisplay")
      const result = { id: `${place.id}:${at + 1}`, time: Date.parse(String(call.timestamp)) }
      for (const response of responsesOf(call)) this.#result(response, result, results, display)
      const [agent, title] = [textIn(call, "agentId"), display && textIn(display, "agentName")]
      const part = { name: `${agent}.jsonl`, role: "subagent", call: String(call.id) }
      if (agent !== undefined && !isCopy)
        this.#writer.part({ ...result, id: `${result.id}:part` }, { ...part, ...(title !== undefined && { title }) })
    }
  }

  /** One that the conversation has already, as it is now, is not there twice. */
  #result(result: Response, place: { id: string; time: number }, results: Message["results"], details?: Json): void {
    const { id, name, content, isError } = result
    const isThere = this.#resultIds.has(id) && this.#messages.some(({ place, results }) => place && results.has(id))
    if (results.has(id) || isThere) return
    this.#resultIds.add(id)
    const message = { role: "toolResult" as const, toolCallId: id, toolName: name, content, isError }
    const entry = this.#writer.message(place, { ...message, ...(details && { details }) })
    results.set(id, { entry, content })
  }
}

/** The kind of a message that is the title. */
const TITLE = "summary"

const KINDS: ReadonlySet<string> = new Set(["user", "gemini", "info", "error", "warning"])

const WORKSPACE = /(?:Workspace Directories:\*\*\s+- |working in the directory: )(.+)/

/** The working directory, of which older versions have only the digest, as the name of a folder, where a call has a path inside. */
function folderIn(parts: readonly Json[], key: string): string | undefined {
  const [, digest] = /[/\\]([0-9a-f]{64})[/\\]chats[/\\]/.exec(key) ?? []
  const calls = digest === undefined ? [] : parts.map((part) => objectIn(part, "functionCall") ?? {})
  const values = calls.flatMap((call) => Object.values(objectIn(call, "args") ?? {}))
  for (const value of values)
    for (let path = typeof value === "string" && PATH.test(value) ? value : ""; path !== ""; path = parentOf(path))
      if (digestOf(path) === digest) return path
  return undefined
}

const PATH = /^(?:\/|[A-Za-z]:\\).{0,4000}$/

function parentOf(path: string): string {
  return path.replace(/[/\\]?[^/\\]*$/, "")
}

function entryPlace({ id, timestamp }: Json): { id: string; time: number } {
  return { id: String(id), time: Date.parse(String(timestamp)) }
}

/** Whether a list has other results, or another text, for what there is. */
function isChanged([record, messages]: Pair): boolean {
  const before = new Map(messages.flatMap((one) => resultsIn(one.record)).map(({ id, content }) => [id, content]))
  const isOther = ({ id, content }: Response): boolean => before.has(id) && !isSame(before.get(id), content)
  return resultsIn(record).some(isOther) || messages.some((message) => contentOf(record, message) !== undefined)
}

function sentOf(record: Json): ContentBlock[] {
  if (record.type === "gemini") return replyBlocks(replyParts(record))
  const { context, said } = inputOf(record)
  return inputBlocks(context.length > 0 ? context : said)
}

/** What is sent of a message from now on; undefined where that is what it says already. */
function contentOf(record: Json, { record: known, place }: Message): ContentBlock[] | undefined {
  if (known.type === "gemini") {
    const [before, now] = [known, record].map((one) => withoutThoughts(replyBlocks(replyParts(one))))
    return !place || isSame(before, now) || itemsOf(known).length !== itemsOf(record).length
      ? undefined
      : replyBlocks(replyParts(record))
  }
  const [before, now] = [inputOf(known), inputOf(record)]
  const name = before.context.length > 0 ? "context" : "said"
  if (isSame(before[name], now[name]) || (known.id !== record.id && name === "said")) return undefined
  return inputBlocks(now[name])
}

function withoutThoughts(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.filter(({ type }) => type !== "thinking")
}

function tokensIn(tokens: Json) {
  const [prompt, cached, output] = [countIn(tokens, "input"), countIn(tokens, "cached"), countIn(tokens, "output")]
  const [thoughts, tool, total] = [countIn(tokens, "thoughts"), countIn(tokens, "tool"), countIn(tokens, "total")]
  return tokensOf({ prompt, cached, output, thoughts, tool, total })
}
