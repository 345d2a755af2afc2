import type { Usage } from "@treelog/session-core"
import {
  type ConvertedRecords,
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
  type Reply,
  textIn,
  usageFields,
} from "../kit.js"
import { ChangedDocument } from "./change-log.js"
import {
  editsIn,
  noticesIn,
  promptBlocks,
  type Said,
  type SubAgent,
  saidIn,
  subAgentsIn,
  unknownParts,
} from "./parts.js"

/** A request, whether it is still in the chat or was taken back. */
interface Turn {
  readonly id: string
  request: Json
  /** The one before it. */
  readonly before: Turn | undefined
  /** It was counted behind another one, which was removed since. */
  readonly isCopy: boolean
  /** Its last entry. */
  end?: string | null
}

/** The conversion of a chat: of the document that its log makes, and of the requests that the log takes back. */
export class VsCodeConverter implements RecordConverter {
  readonly #session: ConvertedRecords
  readonly #writer: EntryWriter
  readonly #agent: string
  readonly #chat = new ChangedDocument()
  #workspace: unknown
  #isHeadless = false
  /** In the order in which they were made. */
  readonly #turns: Turn[] = []
  /** By the ids of their requests. */
  readonly #turnsOf = new Map<string, Turn[]>()
  /** Those that are in the chat now. */
  #current: Turn[] = []
  /** The last entry of each round of a request, by its id. */
  readonly #rounds = new Map<string, string | null>()

  constructor(session: ConvertedRecords, agent: string) {
    this.#session = session
    this.#writer = session.writer
    this.#agent = agent
    this.#workspace = session.beside[0]
  }

  kindOf({ kind }: Json): string {
    return (typeof kind === "number" ? KINDS[kind] : undefined) ?? `operation:${kind}`
  }

  record(record: Json, kind: string): RecordOutcome {
    if (!KINDS.includes(kind)) return undefined
    this.#workspace ??= record.workspace
    if (kind !== "snapshot" && this.#chat.value === undefined && !this.#isHeadless) {
      this.#isHeadless = true
      const message = "The log does not begin with the chat. VS Code does not open it: what it has of requests is read."
      this.#session.report({ kind: "invalid-field", message })
    }
    if ((kind === "snapshot" && !isChat(record.v)) || !this.#chat.apply(record)) return "kept"
    const path = Array.isArray(record.k) ? record.k : []
    // What changes within a request changes no list.
    if (path.length === 0 || (path[0] === "requests" && path.length <= 2)) this.#noteRequests()
    return "converted"
  }

  end(): HeaderFields | undefined {
    const chat = this.#chat.value
    if (!isObject(chat)) return undefined
    const start = this.#writer.leaf
    // Those that are in the chat come first, so that the first prompt is theirs.
    for (const turn of new Set([...this.#current, ...this.#turns])) {
      this.#writer.leaf = turn.before?.end ?? start
      this.#turn(turn)
      turn.end = this.#writer.leaf
    }
    // What a checkpoint hides is there until the next prompt.
    this.#writer.leaf = this.#current.filter(({ request }) => !isHidden(request)).at(-1)?.end ?? start
    const title = textIn(chat, "customTitle") ?? textIn(chat, "computedTitle")
    return {
      id: textIn(chat, "sessionId") ?? this.#session.id,
      timestamp: isoTime(countIn(chat, "creationDate") || countIn(this.#turns[0]?.request ?? {}, "timestamp")),
      cwd: folderIn(this.#workspace),
      title,
      source: this.#session.facts,
    }
  }

  #noteRequests(): void {
    const chat = this.#chat.value
    if (!isObject(chat)) return
    this.#current = []
    for (const [at, request] of objectsIn(chat.requests).entries()) {
      const before = this.#current.at(-1)
      // Requests of old versions have no ids.
      const id = textIn(request, "requestId") ?? `request:${at + 1}`
      const known = this.#turnsOf.get(id) ?? []
      let turn = known.find((one) => one.before === before)
      if (!turn) {
        turn = { id, request, before, isCopy: known.length > 0 }
        this.#turnsOf.set(id, [...known, turn])
        this.#turns.push(turn)
      }
      turn.request = request
      this.#current.push(turn)
    }
  }

  #turn({ id, request, isCopy }: Turn): void {
    const { message } = request
    const text = typeof message === "string" ? message : isObject(message) ? (textIn(message, "text") ?? "") : ""
    const result = objectIn(request, "result") ?? {}
    const metadata = objectIn(result, "metadata") ?? {}
    const summary = objectIn(metadata, "summary")
    const time = millisecondsOf(request.timestamp)
    const content = promptBlocks(text, request, metadata.renderedUserMessage)
    const isTyped = content.length === 1 && content[0] && "text" in content[0] && content[0].text === text
    // It can name a round of a request before.
    if (summary) this.#compaction(summary, id)
    if (request.isSystemInitiated === true)
      this.#writer.add("custom_message", { id, time }, { customType: `${this.#agent}.notice`, content, display: false })
    else this.#writer.message({ id, time }, { role: "user", content, ...(!isTyped && { prompt: text }) })
    const said = this.#replies(request, id, metadata, isCopy ? usageFields() : usageOf(request, metadata))
    for (const { path, text } of editsIn(request.response, said))
      this.#writer.notice({ id: `${id}:edit` }, `${this.#agent}.edit`, `Edited ${path}\n${text}`, {
        modifiedFiles: [path],
      })
    for (const { kind, text } of noticesIn(request.response))
      this.#writer.notice({ id: `${id}:notice` }, `${this.#agent}.${kind}`, text)
    for (const data of unknownParts(request.response))
      this.#writer.add("custom", { id: `${id}:part` }, { customType: `${this.#agent}.part:${data.kind}`, data })
  }

  #replies(request: Json, id: string, metadata: Json, used: Usage): readonly Said[] {
    const said = saidIn(request, metadata)
    const stopped = stopOf(request)
    const subAgents = subAgentsIn(request.response)
    if (said.length === 0 && stopped) said.push({ content: [], calls: [] })
    for (const [at, one] of said.entries()) {
      const isLast = at === said.length - 1
      const place = { id: `${id}:${at + 1}`, time: millisecondsOf(one.time ?? request.timestamp) }
      addReply(this.#writer, place, one, {
        ...{ ...modelOf(request, metadata), usage: isLast ? used : usageFields() },
        ...(isLast && stopped),
      })
      for (const call of one.calls) {
        const found = subAgents.findIndex((agent) => agent.call === call.id || agent.prompt === call.args.prompt)
        for (const agent of found === -1 ? [] : subAgents.splice(found, 1)) this.#subAgent(agent, call.id, place.time)
      }
      if (one.round === undefined) continue
      this.#rounds.set(one.round, this.#writer.leaf)
      const summary = objectIn(metadata, "summary")
      if (summary?.toolCallRoundId === one.round) this.#compaction(summary, id)
    }
    return said
  }

  #subAgent({ call: id, prompt, title, model, said }: SubAgent, call: string, time: number | undefined): void {
    const part = { name: `${id}.jsonl`, role: "subagent", call, ...(title !== undefined && { title }) }
    const writer = this.#writer.transcript({ id: `${id}:part`, time }, part)
    writer.message({ id, time }, { role: "user", content: [{ type: "text", text: prompt }] })
    const of = { provider: "unknown", model: model ?? "unknown", usage: usageFields() }
    for (const [at, one] of said.entries()) addReply(writer, { id: `${id}:${at + 1}`, time }, one, of)
  }

  /** A summary takes the place of its round and of all before; the entries behind it are kept. */
  #compaction({ toolCallRoundId, text }: Json, id: string): void {
    const last = this.#rounds.get(String(toolCallRoundId))
    if (last === undefined) return
    const own = `${id}:summary`
    const isBefore = last !== this.#writer.leaf
    const behind = isBefore ? this.#writer.entries.filter(({ parentId }) => parentId === last).at(-1) : undefined
    const kept = behind?.id ?? own
    this.#writer.add("compaction", { id: own }, { summary: String(text), firstKeptEntryId: kept, tokensBefore: 0 })
  }
}

/** A reply, and the results of its calls. */
function addReply(
  writer: EntryWriter,
  place: EntryPlace,
  { content, calls }: Said,
  fields: Pick<Reply, "provider" | "model" | "usage"> & Partial<Reply>,
): void {
  const toolCalls = calls.map(({ id, name, args }) => ({ type: "toolCall" as const, id, name, arguments: args }))
  const stopReason = calls.length > 0 ? "toolUse" : "stop"
  writer.message(place, { role: "assistant", content: [...content, ...toolCalls], stopReason, ...fields })
  for (const { id: toolCallId, name: toolName, result } of calls)
    if (result)
      writer.message({ id: toolCallId, time: place.time }, { role: "toolResult", toolCallId, toolName, ...result })
}

/** The changes of a log, by their numbers. */
const KINDS = ["snapshot", "set", "push", "delete"]

function isChat(document: unknown): boolean {
  return isObject(document) && Array.isArray(document.requests)
}

function isHidden({ isHidden, shouldBeRemovedOnSend }: Json): boolean {
  return isHidden === true || isObject(shouldBeRemovedOnSend)
}

function millisecondsOf(time: unknown): number | undefined {
  return typeof time === "number" && time > 0 ? time : undefined
}

/** Why a request ended where it did not end well. */
function stopOf(request: Json): { stopReason: "error" | "aborted"; errorMessage?: string } | undefined {
  const state = objectIn(request, "modelState")?.value
  const errorMessage = textIn(objectIn(objectIn(request, "result") ?? {}, "errorDetails") ?? {}, "message")
  if (state === 2 || request.isCanceled === true) return { stopReason: "aborted" }
  if (state !== 3 && errorMessage === undefined) return undefined
  return { stopReason: "error", ...(errorMessage !== undefined && { errorMessage }) }
}

/** `copilot/auto` is what was chosen, and `resolvedModel` what answered. */
function modelOf(request: Json, metadata: Json): { provider: string; model: string } {
  const [, vendor, chosen] = /^([^/]+)\/(.+)$/s.exec(String(request.modelId)) ?? []
  const model = textIn(metadata, "resolvedModel") ?? chosen ?? textIn(request, "modelId") ?? "unknown"
  return { provider: vendor === "copilot" ? "github-copilot" : (vendor ?? "unknown"), model }
}

/** Of the calls of a request to its model, the last alone is counted. Each version writes it in another place. */
function usageOf(request: Json, metadata: Json): Usage {
  const result = objectIn(request, "result") ?? {}
  const places = [request, objectIn(request, "usage") ?? {}, metadata, result, objectIn(result, "usage") ?? {}]
  const count = (...names: string[]): number =>
    places.flatMap((place) => names.map((name) => countIn(place, name))).find((found) => found > 0) ?? 0
  return usageFields({ input: count("promptTokens"), output: count("completionTokens", "outputTokens") })
}

/** The folder of a window: its own, or that of its workspace file. */
export function folderIn(workspace: unknown): string {
  if (!isObject(workspace)) return ""
  const file = textIn(workspace, "workspace") ?? textIn(workspace, "configuration")
  const uri = textIn(workspace, "folder") ?? file?.replace(/\/[^/]*$/, "") ?? ""
  if (!URL.canParse(uri)) return ""
  const decoded = (bytes: string): string => Buffer.from(bytes.replaceAll("%", ""), "hex").toString()
  const { protocol, host, pathname } = new URL(uri)
  const path = pathname.replace(/(?:%[0-9a-f]{2})+/gi, decoded)
  if (protocol === "file:" && host !== "") return `//${host}${path}`
  return path.replace(/^\/(?=[a-z]:)/i, "")
}
