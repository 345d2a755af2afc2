import type { ContentBlock } from "@treelog/session-core"
import { usagesOf } from "@treelog/session-core/search"
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
  parsedObject,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
  without,
} from "../kit.js"
import {
  argumentsOf,
  bubbleTime,
  callIn,
  errorIn,
  folderIn,
  imagesIn,
  thinkingBlocks,
  timeOf,
  typedIn,
  workspaceOf,
} from "./fields.js"

/** What Cursor calls the kinds of bubbles. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["1", "user"],
  ["2", "assistant"],
])
/** The capability of a bubble that marks where Cursor summarized what was before. */
const COMPACTION = 22

const KEPT: ReadonlySet<string> = new Set(["user", "compaction", "missing", "damaged"])

/** A reply as long as more of it may come. */
interface OpenReply {
  readonly place: EntryPlace
  readonly model: string
  readonly content: ContentBlock[]
  readonly calls: Json[]
  readonly tokens: { input: number; output: number }
}

/** The conversion of a composer: a bubble is a prompt, or a thought, a text or a call of a reply. */
export class CursorConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #id: string
  readonly #report: ConvertedRecords["report"]
  #composer: Json | undefined
  #reply: OpenReply | undefined
  #model = "unknown"
  /** As its window has it. */
  readonly #folder: string | undefined
  /** As a window lists it. */
  readonly #listed: Json
  #cwd: string | undefined
  #time: number | undefined

  constructor({ writer, id, cwd, facts, report }: ConvertedRecords) {
    this.#folder = cwd
    this.#listed = facts
    this.#writer = writer
    this.#id = id
    this.#report = report
  }

  kindOf({ record, type, capabilityType }: Json): string {
    if (record !== "bubble") return String(record)
    return capabilityType === COMPACTION ? "compaction" : (KINDS.get(String(type)) ?? `bubble:${String(type)}`)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (kind === "composer") {
      this.#composer = record
      this.#model = textIn(objectIn(record, "modelConfig") ?? {}, "modelName") ?? this.#model
      return "converted"
    }
    const place = { id: String(record.bubbleId), time: bubbleTime(record) }
    this.#time ??= place.time
    this.#model = textIn(objectIn(record, "modelInfo") ?? {}, "modelName") ?? this.#model
    this.#cwd ??= folderIn(record.workspaceUris)
    if (kind === "assistant") return this.#addToReply(record, place)
    this.#endReply()
    const typed = kind === "user" ? typedIn(record) : undefined
    const texts = typed === undefined ? [] : [{ type: "text" as const, text: typed }]
    const content: ContentBlock[] = kind === "user" ? [...texts, ...imagesIn(record)] : []
    if (content.length > 0) {
      this.#writer.message(place, { role: "user", content })
      return "converted"
    }
    if (kind === "damaged")
      this.#report({ kind: "invalid-json", entryId: place.id, message: `The bubble ${place.id} has no JSON object` })
    // Other attachments are in fields without documentation.
    return KEPT.has(kind) ? "kept" : undefined
  }

  end(): HeaderFields | undefined {
    const composer = this.#composer
    this.#endReply(composer?.status === "aborted")
    if (!composer) return undefined
    const head = objectIn(composer, "head") ?? {}
    this.#addCosts(composer)
    const said = [composer, head, this.#listed]
    const title = said.map((one) => textIn(one, "name")).find((name) => name !== undefined)
    const isArchived = said.map((one) => one.isArchived).find((mark) => typeof mark === "boolean")
    const parent =
      textIn(objectIn(composer, "subagentInfo") ?? {}, "parentComposerId") ?? textIn(composer, "parentComposerId")
    return {
      id: this.#id,
      timestamp: isoTime(timeOf(composer.createdAt) ?? this.#time ?? 0),
      cwd: said.map(workspaceOf).find((cwd) => cwd !== undefined) ?? this.#cwd ?? this.#folder ?? "",
      title,
      parentSession: parent,
      source: {
        kind: parent && "subtask",
        archived: isArchived === true,
      },
    }
  }

  /** What each model cost in all, which older versions write: where no bubble says its tokens. */
  #addCosts({ usageData, lastUpdatedAt }: Json): void {
    if (!isObject(usageData) || this.#writer.entries.some((entry) => usagesOf(entry).length > 0)) return
    for (const model of Object.keys(usageData)) {
      const cost = countIn(objectIn(usageData, model) ?? {}, "costInCents") / 100
      const usage = usageFields({ cost })
      const place = { id: `cost:${model}`, time: timeOf(lastUpdatedAt) }
      if (cost > 0) this.#writer.add("usage", place, { provider: "cursor", model, usage })
    }
  }

  /** What comes behind a call is another reply, unless it is a call of the same one. */
  #addToReply(bubble: Json, place: EntryPlace): RecordOutcome {
    const thinking = thinkingBlocks(bubble.thinking)
    const text = textIn(bubble, "text")
    const call = callIn(bubble, String(place.id))
    const error = errorIn(bubble)
    if (thinking.length === 0 && text === undefined && !call) {
      if (error === undefined) return { skipped: "a bubble that says nothing" }
      this.#addError(place, error)
      return "converted"
    }
    const last = this.#reply?.calls.at(-1)
    const isSame = call?.modelCallId !== undefined && call.modelCallId === last?.modelCallId
    if (last && !(isSame && thinking.length === 0 && text === undefined)) this.#endReply()
    this.#reply ??= { place, model: this.#model, content: [], calls: [], tokens: { input: 0, output: 0 } }
    const { content, calls, tokens } = this.#reply
    content.push(...thinking, ...(text === undefined ? [] : [{ type: "text" as const, text }]))
    const counts = objectIn(bubble, "tokenCount") ?? {}
    tokens.input += countIn(counts, "inputTokens")
    tokens.output += countIn(counts, "outputTokens")
    if (call) {
      content.push({
        type: "toolCall",
        id: String(call.toolCallId),
        name: String(call.name),
        arguments: argumentsOf(call),
      })
      calls.push({ ...call, place })
    }
    if (error !== undefined) this.#addError({ ...place, id: `${place.id}:error` }, error)
    return "converted"
  }

  #addError(place: EntryPlace, error: string): void {
    this.#endReply()
    this.#writer.notice(place, "cursor.error", error)
  }

  #endReply(isAborted = false): void {
    const reply = this.#reply
    this.#reply = undefined
    if (!reply) return
    const { place, model, content, calls, tokens } = reply
    this.#writer.message(place, {
      role: "assistant",
      content,
      provider: "cursor",
      model,
      usage: usageFields({ ...tokens, cacheRead: 0, cacheWrite: 0 }),
      stopReason: isAborted ? "aborted" : calls.length > 0 ? "toolUse" : "stop",
    })
    for (const call of calls) this.#addResult(call)
  }

  /** A call that runs, or waits for the user, has no result yet. */
  #addResult(call: Json): void {
    const { status } = call
    if (status !== "completed" && status !== "error" && status !== "cancelled") return
    const { id, time } = call.place as EntryPlace
    const toolCallId = String(call.toolCallId)
    const result = isObject(call.result) ? call.result : parsedObject(String(call.result ?? ""))
    const shown = ["output", "contents"].find((name) => result && typeof result[name] === "string")
    const failure = typeof call.error === "object" && call.error ? JSON.stringify(call.error) : call.error
    const text = shown === undefined ? call.result || failure || "" : result?.[shown]
    const details = shown !== undefined && result && without(result, [shown])
    this.#writer.message(
      { id: `${id}:result`, time },
      {
        role: "toolResult",
        toolCallId,
        toolName: String(call.name),
        content: [{ type: "text", text: typeof text === "string" ? text : JSON.stringify(text) }],
        ...(details && { details }),
        isError: status !== "completed",
      },
    )
    const child = result && textIn(result, "agentId")
    if (child === undefined) return
    const part = { name: `${child}.jsonl`, role: "subagent", call: toolCallId }
    this.#writer.part({ id: `${id}:part`, time }, part)
  }
}
