import { contentText } from "@treelog/session-core"
import { countIn, type Json, objectIn, objectsIn, type Tokens, textIn } from "@treelog-internal/agent-files"
import { roleOfKind, SNAPSHOT_LIMIT } from "./kinds.js"
import { type PromptKind, promptText, textKind } from "./prompt-text.js"
import { renderedOf } from "./rendered.js"

/** Records that are nodes of the conversation. */
export const NODE_ROLES = [
  "reply",
  "prompt",
  "result",
  "meta",
  "summary",
  "boundary",
  "reminder",
  "queued",
  "local-command",
] as const

export type NodeRole = (typeof NODE_ROLES)[number]

/** What a record is for the conversion. */
export type RecordRole =
  | NodeRole
  | "title"
  | "last-prompt"
  | "tag"
  | "microcompact"
  | "replacement"
  | "refusal"
  | "progress"
  | "queue"
  | "keep"
  | "skip"
  | "damaged"

/** What linking and ordering need of a record, by its kind. */
export interface RecordHead {
  /** Such as `user` or `progress:hook_progress`. */
  readonly kind: string
  readonly role: RecordRole
  /** Of replies and nested replies of sub-agents; never of what the client made itself. */
  readonly usage?: ResponseUsage | undefined
  /** Tokens that a response used beside its own: of an advisor, or of a compaction by the provider. */
  readonly sideUsages?: readonly ResponseUsage[] | undefined
  /** Of a reply, or of one that a progress line of a sub-agent holds: the lines of one reply have the same. */
  readonly key?: string | undefined
  /** Of the same: the id of the message. One line of a reply may not name the request that another names. */
  readonly message?: string | undefined
  /** Of a reply. Undefined for `<synthetic>`. */
  readonly model?: string | undefined
  /** Of a reply. */
  readonly calls?: readonly CallHead[] | undefined
  /** Of a reply: whether it says why it stopped. */
  readonly hasStopped?: boolean | undefined
  /** Of a reply: an error that the client put in its place, which the model does not get. */
  readonly isApiError?: boolean | undefined
  /** Of a line of results, by block. */
  readonly answers?: readonly AnswerHead[] | undefined
  /** Of a line of results: whether it has other blocks. */
  readonly hasRest?: boolean | undefined
  /** Of a line of results: the uuid of the line of the reply that made the call. */
  readonly caller?: string | undefined
  /** Of a line of results: the sub-agent that worked for the call. */
  readonly agentId?: string | undefined
  /** Of a prompt, also one that waited, and of a `tag`. */
  readonly text?: string | undefined
  readonly promptKind?: PromptKind | undefined
  /** Of a prompt that waited: the model got it in other words, which the record has. */
  readonly isRendered?: boolean | undefined
  readonly boundary?: BoundaryHead | undefined
  readonly title?: TitleHead | undefined
  /** Of a `last-prompt`. */
  readonly pin?: PinHead | undefined
  /** What is kept of a line that holds no record. */
  readonly damaged?: object | undefined
  /** Calls, or uuids, that a record edits. */
  readonly targets?: readonly string[] | undefined
}

/** Tokens of one response, as the provider counted them. */
export interface ResponseUsage extends Readonly<Tokens> {
  /** Empty where none is named. */
  readonly model: string
}

/** A call of a tool in a reply. */
export interface CallHead {
  readonly id: string
  readonly name: string
}

/** A result. */
export interface AnswerHead {
  /** Undefined where it names none. */
  readonly call: string | undefined
  /** The file that has what was too long, such as `tool-results/b1.txt`. */
  readonly file: string | undefined
}

/** What a `last-prompt` says of the leaf. */
export interface PinHead {
  /** Null where it is before the first message, undefined where earlier pins are taken back. */
  readonly leaf: string | null | undefined
  /** Whether the user went there. */
  readonly isExplicit: boolean
}

export interface BoundaryHead {
  readonly logicalParent: string | undefined
  /** The first message that the compaction kept, and the last. */
  readonly firstKept: string | undefined
  readonly lastKept: string | undefined
  /** Whether the kept messages stand before the summary: it summarizes what followed them. */
  readonly keepsBefore: boolean
}

export interface TitleHead {
  readonly source: keyof typeof TITLE_FIELDS
  readonly text: string
  /** Of a summary: a line of the session that it belongs to. */
  readonly leaf: string | undefined
}

/** The model of messages that the client made itself. */
export const SYNTHETIC = "<synthetic>"

/** @param length bytes of the record */
export function headOf(record: Json, length: number): RecordHead {
  const kind = kindOf(record)
  return { kind, role: "keep", ...fieldsOf(record, kind, length) }
}

type Fields = Partial<RecordHead>

function fieldsOf(record: Json, kind: string, length: number): Fields {
  const message = objectIn(record, "message")
  switch (record.type) {
    case "assistant":
      return message ? replyFields(record, message) : {}
    case "user":
      return message ? userFields(record, message) : {}
    case "attachment":
      return attachmentFields(record, objectIn(record, "attachment") ?? {})
    case "progress":
      return { role: "progress", ...nestedUsage(objectIn(objectIn(record, "data") ?? {}, "message")) }
    case "system":
      return systemFields(record, kind)
    case "content-replacement":
      return { role: "replacement", targets: replacementsOf(record.replacements).map(({ call }) => call) }
    case "last-prompt":
      return { role: "last-prompt", ...pinIn(record) }
    case "queue-operation":
      return { role: "queue" }
    case "tag":
      return typeof record.tag === "string" ? { role: "tag", text: record.tag } : {}
    case "file-history-snapshot":
      return length > SNAPSHOT_LIMIT ? { role: "skip" } : {}
    default: {
      const title = titleIn(record)
      return title ? { role: "title", title } : { role: roleOfKind(kind) }
    }
  }
}

/** Such as `user` or `progress:hook_progress`. */
function kindOf(record: Json): string {
  const type = textIn(record, "type") ?? "without type"
  const subtype = subtypeOf(type, record)
  return subtype === undefined ? type : `${type}:${subtype}`
}

function subtypeOf(type: string, record: Json): string | undefined {
  if (type === "system") return textIn(record, "subtype")
  if (type === "progress") return textIn(objectIn(record, "data") ?? {}, "type")
  if (type === "attachment") return textIn(objectIn(record, "attachment") ?? {}, "type")
  return type === "queue-operation" ? textIn(record, "operation") : undefined
}

function replyFields(record: Json, message: Json): Fields {
  const model = textIn(message, "model")
  const used = usageIn(record, message)
  const blocks = objectsIn(message.content)
  const calls = blocks.flatMap((block) =>
    block.type === "tool_use" && typeof block.id === "string"
      ? [{ id: block.id, name: textIn(block, "name") ?? "" }]
      : [],
  )
  return {
    role: "reply",
    ...used,
    model: model === SYNTHETIC ? undefined : used.usage?.model || model,
    calls,
    hasStopped: textIn(message, "stop_reason") !== undefined,
    isApiError: record.isApiErrorMessage === true && model === SYNTHETIC,
  }
}

/** One response of a model has one message and one request, however many lines it has. Without them, a line is one. */
function responseKey(record: Json, message: Json): string | undefined {
  const id = textIn(message, "id")
  const request = textIn(record, "requestId")
  return id === undefined ? textIn(record, "uuid") : request === undefined ? id : `${id}:${request}`
}

/** Iterations that the usage of the message does not include. */
const SIDE_ITERATIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["advisor_message", "compaction"])

function usageIn(record: Json, message: Json): Pick<RecordHead, "key" | "message" | "usage" | "sideUsages"> {
  const names = { key: responseKey(record, message), message: textIn(message, "id") }
  const usage = objectIn(message, "usage")
  if (!usage || names.key === undefined || message.model === SYNTHETIC) return names
  const iterations = objectsIn(usage.iterations)
  // Of a response that fell back, the model that answered.
  const fallback = iterations.filter(({ type }) => type === "fallback_message").at(-1) ?? {}
  const named = textIn(message, "model") ?? ""
  const sides = iterations.filter(({ type }) => SIDE_ITERATIONS.has(type))
  return {
    ...names,
    usage: { model: textIn(fallback, "model") ?? named, ...tokensOf(usage) },
    ...(sides.length > 0 && {
      sideUsages: sides.map((side) => ({ model: textIn(side, "model") ?? named, ...tokensOf(side) })),
    }),
  }
}

function tokensOf(usage: Json): Tokens {
  return {
    input: countIn(usage, "input_tokens"),
    output: countIn(usage, "output_tokens"),
    cacheRead: countIn(usage, "cache_read_input_tokens"),
    cacheWrite: countIn(usage, "cache_creation_input_tokens"),
    cacheWrite1h: countIn(objectIn(usage, "cache_creation") ?? {}, "ephemeral_1h_input_tokens"),
    webSearches: countIn(objectIn(usage, "server_tool_use") ?? {}, "web_search_requests"),
    serviceTier:
      usage.speed === "fast" ? "fast" : PRICED_TIERS.has(usage.service_tier) ? String(usage.service_tier) : "",
  }
}

/** Those that are billed other than the standard. */
const PRICED_TIERS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["priority", "batch"])

/** A progress line of a sub-agent holds one of its lines. */
function nestedUsage(line: Json | undefined): Fields {
  const message = line?.type === "assistant" && objectIn(line, "message")
  const used = message ? usageIn(line, message) : {}
  return { ...used, ...(used.usage && { model: used.usage.model }) }
}

function userFields(record: Json, message: Json): Fields {
  if (record.isCompactSummary === true) return { role: "summary" }
  const blocks = objectsIn(message.content)
  const results = blocks.filter(({ type }) => type === "tool_result")
  if (results.length > 0)
    return {
      role: "result",
      answers: results.map(answerOf),
      hasRest: results.length < blocks.length,
      caller: textIn(record, "sourceToolAssistantUUID"),
      agentId: textIn(objectIn(record, "toolUseResult") ?? {}, "agentId"),
    }
  if (record.isMeta === true) return { role: "meta" }
  return { role: "prompt", text: contentText(message.content), promptKind: promptText(message.content).kind }
}

/** The file beside the session that has what was too long, as a result names it. */
const KEPT_RESULT = /tool-results[/\\][\w./\\-]*\w/

function answerOf(block: Json): AnswerHead {
  const [file] = KEPT_RESULT.exec(contentText(block.content)) ?? []
  return { call: textIn(block, "tool_use_id"), file: file?.replaceAll("\\", "/") }
}

function attachmentFields(record: Json, { type, prompt, commandMode }: Json): Fields {
  const isRendered = renderedOf(record) !== undefined
  const isQueued = type === "queued_command" && (typeof prompt === "string" || Array.isArray(prompt))
  if (isQueued && commandMode !== "task-notification") return { role: "queued", text: contentText(prompt), isRendered }
  return isRendered ? { role: "reminder" } : {}
}

function systemFields(record: Json, kind: string): Fields {
  switch (record.subtype) {
    case "compact_boundary":
      return { role: "boundary", boundary: boundaryIn(record) }
    case "microcompact_boundary": {
      const { compactedToolIds } = objectIn(record, "microcompactMetadata") ?? {}
      return { role: "microcompact", targets: textsIn(compactedToolIds) }
    }
    case "model_refusal_fallback":
      return { role: "refusal", targets: textsIn(record.retractedMessageUuids) }
    case "local_command":
      return typeof record.content === "string"
        ? { role: "local-command", promptKind: textKind(record.content) }
        : { role: "keep" }
    default:
      return { role: roleOfKind(kind) }
  }
}

function boundaryIn(record: Json): BoundaryHead {
  const metadata = objectIn(record, "compactMetadata") ?? {}
  const segment = objectIn(metadata, "preservedSegment") ?? {}
  const preserved = objectIn(metadata, "preservedMessages") ?? {}
  const messages = textsIn(preserved.uuids)
  const anchor = textIn(segment, "anchorUuid") ?? textIn(preserved, "anchorUuid")
  return {
    logicalParent: textIn(record, "logicalParentUuid") ?? textIn(record, "parentUuid"),
    firstKept: textIn(segment, "headUuid") ?? messages[0],
    lastKept: textIn(segment, "tailUuid") ?? messages.at(-1),
    keepsBefore: anchor !== undefined && anchor === record.uuid,
  }
}

/** The texts that stand for the results of calls since then. */
export function replacementsOf(replacements: unknown): { call: string; text: string }[] {
  return objectsIn(replacements).flatMap((one) => {
    const call = textIn(one, "toolUseId") ?? textIn(one, "tool_use_id")
    return call !== undefined && typeof one.replacement === "string" ? [{ call, text: one.replacement }] : []
  })
}

/** A leaf of zeros takes earlier pins back. */
const NO_LEAF = "00000000-0000-0000-0000-000000000000"

function pinIn({ leafUuid, explicit }: Json): Fields {
  const isExplicit = explicit === true
  if (typeof leafUuid === "string") return { pin: { leaf: leafUuid === NO_LEAF ? undefined : leafUuid, isExplicit } }
  return leafUuid === null && isExplicit ? { pin: { leaf: null, isExplicit } } : {}
}

const TITLE_FIELDS = {
  "custom-title": "customTitle",
  "agent-name": "agentName",
  "ai-title": "aiTitle",
  summary: "summary",
} as const

function titleIn(record: Json): TitleHead | undefined {
  const { type } = record
  if (type !== "custom-title" && type !== "agent-name" && type !== "ai-title" && type !== "summary") return undefined
  const text = record[TITLE_FIELDS[type]]
  return typeof text === "string" ? { source: type, text, leaf: textIn(record, "leafUuid") } : undefined
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : []
}
