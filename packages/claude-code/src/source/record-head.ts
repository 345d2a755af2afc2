import type { JsonObject } from "../json-values.js"
import { isJsonObject, numberOf, stringOf, textOf } from "../json-values.js"
import { roleOfKind, SNAPSHOT_LIMIT } from "./kinds.js"
import type { BoundaryHead, RareHead, RecordRole, ResponseUsage, TitleHead } from "./record-facts.js"

/** The fields of a record that depend on its kind. */
export interface RecordHead extends Omit<RareHead, "text"> {
  readonly kind: string
  readonly role: RecordRole
  readonly usage?: ResponseUsage | undefined
  readonly reply?: ReplyHead
  readonly result?: ResultHead
  /** Of a `tag`; of a prompt, its text in a short form to compare it. */
  readonly text?: string
  readonly isInterruption?: boolean
}

/** A call of a tool in a reply. */
export interface CallHead {
  readonly id: string
  readonly name: string
}

export interface ReplyHead {
  /** The lines of one reply have the same. Empty where nothing names it. */
  readonly key: string
  /** Undefined for `<synthetic>`. */
  readonly model: string | undefined
  readonly calls: readonly CallHead[]
  readonly stopReason: string | undefined
}

export interface ResultHead {
  /** By block; undefined where a block names no call. */
  readonly calls: readonly (string | undefined)[]
  /** Whether the line has other blocks than results. */
  readonly hasRest: boolean
  /** The uuid of the line of the reply that made the call. */
  readonly caller: string | undefined
}

/** The model of messages that the client made itself. */
export const SYNTHETIC = "<synthetic>"

/** @param length bytes of the record */
export function headOf(record: JsonObject, length: number): RecordHead {
  const kind = kindOf(record)
  const base = { kind }
  switch (record.type) {
    case "assistant":
      return isJsonObject(record.message)
        ? { ...base, role: "reply", ...replyHead(record, record.message) }
        : { ...base, role: "keep" }
    case "user":
      return isJsonObject(record.message) ? { ...base, ...userHead(record, record.message) } : { ...base, role: "keep" }
    case "attachment":
      return { ...base, ...attachmentHead(record) }
    case "progress":
      return { ...base, role: "progress", usage: nestedUsage(record.data) }
    case "system":
      return { ...base, ...systemHead(record, kind) }
    case "content-replacement":
      return { ...base, role: "replacement", targets: replacedCalls(record.replacements) }
    case "last-prompt":
      return lastPromptHead(base, record)
    case "tag":
      return typeof record.tag === "string" ? { ...base, role: "tag", text: record.tag } : { ...base, role: "keep" }
    case "file-history-snapshot":
      return { ...base, role: length > SNAPSHOT_LIMIT ? "skip" : "keep" }
    default: {
      const title = titleHead(record)
      return title ? { ...base, role: "title", title } : { ...base, role: roleOfKind(kind) }
    }
  }
}

/** Such as `user` or `progress:hook_progress`. */
function kindOf(record: JsonObject): string {
  const type = stringOf(record.type) ?? "without type"
  return [type, subtypeOf(type, record)].filter((part) => part !== undefined).join(":")
}

function subtypeOf(type: string, record: JsonObject): string | undefined {
  if (type === "system") return stringOf(record.subtype)
  if (type === "progress") return isJsonObject(record.data) ? stringOf(record.data.type) : undefined
  if (type === "attachment") return isJsonObject(record.attachment) ? stringOf(record.attachment.type) : undefined
  return type === "queue-operation" ? stringOf(record.operation) : undefined
}

function replyHead(record: JsonObject, message: JsonObject): { reply: ReplyHead; usage: ResponseUsage | undefined } {
  const model = stringOf(message.model)
  const calls = blocksOf(message.content).flatMap(({ type, id, name }) =>
    type === "tool_use" && typeof id === "string" ? [{ id, name: stringOf(name) ?? "" }] : [],
  )
  const key = responseKey(record, message) ?? stringOf(record.uuid) ?? ""
  const reply = {
    key,
    model: model === SYNTHETIC ? undefined : model,
    calls,
    stopReason: stringOf(message.stop_reason),
  }
  return { reply, usage: usageOf(record, message) }
}

/** One response of a model has one message and one request, however many lines it has. */
function responseKey(record: JsonObject, message: JsonObject): string | undefined {
  const id = stringOf(message.id)
  const request = stringOf(record.requestId)
  return id === undefined ? undefined : request === undefined ? id : `${id}:${request}`
}

function usageOf(record: JsonObject, message: JsonObject): ResponseUsage | undefined {
  const { usage, model } = message
  const key = responseKey(record, message)
  if (!isJsonObject(usage) || key === undefined || typeof model !== "string" || model === SYNTHETIC) return undefined
  return {
    key,
    model,
    input: numberOf(usage.input_tokens),
    output: numberOf(usage.output_tokens),
    cacheRead: numberOf(usage.cache_read_input_tokens),
    cacheWrite: numberOf(usage.cache_creation_input_tokens),
  }
}

/** A progress line of a sub-agent holds one of its lines. */
function nestedUsage(data: unknown): ResponseUsage | undefined {
  const line = isJsonObject(data) ? data.message : undefined
  if (!isJsonObject(line) || line.type !== "assistant" || !isJsonObject(line.message)) return undefined
  return usageOf(line, line.message)
}

function userHead(record: JsonObject, message: JsonObject): Omit<RecordHead, "kind"> {
  if (record.isCompactSummary === true) return { role: "summary" }
  const blocks = blocksOf(message.content)
  const results = blocks.filter(({ type }) => type === "tool_result")
  if (results.length > 0) {
    const calls = results.map(({ tool_use_id }) => stringOf(tool_use_id))
    const caller = stringOf(record.sourceToolAssistantUUID)
    return { role: "result", result: { calls, hasRest: results.length < blocks.length, caller } }
  }
  if (record.isMeta === true) return { role: "meta" }
  const text = textOf(message.content)
  return { role: "prompt", text: shortForm(text), isInterruption: text.startsWith("[Request interrupted") }
}

/** A text in a form of constant size, to compare it with others. It holds no part of the text, which would keep the whole in memory. */
export function shortForm(text: string): string {
  let [a, b] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = (Math.imul(a, 31) + code) | 0
    b = Math.imul(b ^ code, 0x01000193)
  }
  return `${text.length}:${a}:${b}`
}

function attachmentHead(record: JsonObject): Omit<RecordHead, "kind"> {
  const attachment = isJsonObject(record.attachment) ? record.attachment : {}
  if (renderedOf(record) !== undefined) return { role: "reminder" }
  if (attachment.type !== "queued_command") return { role: "keep" }
  const { prompt } = attachment
  return typeof prompt === "string" || Array.isArray(prompt)
    ? { role: "queued", text: shortForm(textOf(prompt)) }
    : { role: "keep" }
}

/** What the model saw of an attachment; newer versions write it. */
export function renderedOf(record: JsonObject): string | JsonObject[] | undefined {
  const rendered = record.rendered ?? (isJsonObject(record.attachment) ? record.attachment.rendered : undefined)
  if (typeof rendered === "string") return rendered
  const isList =
    Array.isArray(rendered) && rendered.every((block) => isJsonObject(block) && typeof block.type === "string")
  return isList ? rendered : undefined
}

function systemHead(record: JsonObject, kind: string): Omit<RecordHead, "kind"> {
  switch (record.subtype) {
    case "compact_boundary":
      return { role: "boundary", boundary: boundaryHead(record) }
    case "microcompact_boundary": {
      const metadata = isJsonObject(record.microcompactMetadata) ? record.microcompactMetadata : {}
      return { role: "microcompact", targets: stringsOf(metadata.compactedToolIds) }
    }
    case "model_refusal_fallback":
      return { role: "refusal", targets: stringsOf(record.retractedMessageUuids) }
    default:
      return { role: roleOfKind(kind) }
  }
}

function boundaryHead(record: JsonObject): BoundaryHead {
  const metadata = isJsonObject(record.compactMetadata) ? record.compactMetadata : {}
  const { preservedSegment: segment, preservedMessages: messages } = metadata
  const firstKept =
    (isJsonObject(segment) ? stringOf(segment.headUuid) : undefined) ??
    (isJsonObject(messages) ? stringsOf(messages.uuids)[0] : undefined)
  return { logicalParent: stringOf(record.logicalParentUuid) ?? stringOf(record.parentUuid), firstKept }
}

/** The calls whose results were replaced; a replacement of another form has none. */
function replacedCalls(replacements: unknown): string[] {
  return replacementsOf(replacements).map(({ call }) => call)
}

/** The texts that stand for the results of calls since then. */
export function replacementsOf(replacements: unknown): { call: string; text: string }[] {
  if (!Array.isArray(replacements)) return []
  return replacements.filter(isJsonObject).flatMap(({ toolUseId, tool_use_id, replacement }) => {
    const call = stringOf(toolUseId) ?? stringOf(tool_use_id)
    return call !== undefined && typeof replacement === "string" ? [{ call, text: replacement }] : []
  })
}

function lastPromptHead(base: { kind: string }, record: JsonObject): RecordHead {
  const { leafUuid, explicit } = record
  if (typeof leafUuid === "string") return { ...base, role: "last-prompt", leaf: leafUuid }
  return leafUuid === null && explicit === true
    ? { ...base, role: "last-prompt", leaf: null }
    : { ...base, role: "last-prompt" }
}

const TITLE_FIELDS = {
  "custom-title": "customTitle",
  "agent-name": "agentName",
  "ai-title": "aiTitle",
  summary: "summary",
} as const

export function titleHead(record: JsonObject): TitleHead | undefined {
  const { type } = record
  if (type !== "custom-title" && type !== "agent-name" && type !== "ai-title" && type !== "summary") return undefined
  const text = record[TITLE_FIELDS[type]]
  return typeof text === "string" ? { source: type, text, leaf: stringOf(record.leafUuid) } : undefined
}

/** The blocks of a content that are objects; those of a text are none. */
export function blocksOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : []
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : []
}
