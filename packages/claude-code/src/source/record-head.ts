import type { Tokens } from "@treelog-internal/agent-files"
import type { JsonObject } from "../json-values.js"
import { countOf, isJsonObject, stringOf, textOf } from "../json-values.js"
import { roleOfKind, SNAPSHOT_LIMIT } from "./kinds.js"
import { type PromptKind, promptText, textKind } from "./prompt-text.js"
import type { BoundaryHead, PinHead, RecordRole, ResponseUsage, SideUsage, TitleHead } from "./record-facts.js"

/** The fields of a record that depend on its kind. */
export interface RecordHead {
  readonly kind: string
  readonly role: RecordRole
  readonly usage: ResponseUsage | undefined
  readonly reply: ReplyHead | undefined
  readonly result: ResultHead | undefined
  /** Of a `tag`; of a prompt, its text in a short form to compare it. */
  readonly text: string | undefined
  /** Of a prompt. */
  readonly promptKind: PromptKind
  readonly boundary: BoundaryHead | undefined
  readonly title: TitleHead | undefined
  readonly pin: PinHead | undefined
  /** Calls, or uuids, that a record edits. */
  readonly targets: readonly string[] | undefined
  readonly sideUsages: readonly SideUsage[] | undefined
  readonly isApiError: true | undefined
  readonly isRendered: true | undefined
  readonly agentId: string | undefined
  readonly keptResults: readonly (string | undefined)[] | undefined
}

type Head = { -readonly [Key in keyof RecordHead]: RecordHead[Key] }

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
  /** By block: the file that has what was too long. */
  readonly kept: readonly (string | undefined)[] | undefined
}

/** The model of messages that the client made itself. */
export const SYNTHETIC = "<synthetic>"

/** @param length bytes of the record */
export function headOf(record: JsonObject, length: number): RecordHead {
  // One form for all, and no object that is copied into another: there are as many heads as lines.
  const head: Head = {
    kind: kindOf(record),
    role: "keep",
    usage: undefined,
    reply: undefined,
    result: undefined,
    text: undefined,
    promptKind: "typed",
    boundary: undefined,
    title: undefined,
    pin: undefined,
    targets: undefined,
    sideUsages: undefined,
    isApiError: undefined,
    isRendered: undefined,
    agentId: undefined,
    keptResults: undefined,
  }
  fill(head, record, length)
  return head
}

/** The head of a line that holds no record. */
export function damagedHead(kind: string): RecordHead {
  return { ...headOf({}, 0), kind, role: "damaged" }
}

function fill(head: Head, record: JsonObject, length: number): void {
  switch (record.type) {
    case "assistant":
      if (isJsonObject(record.message)) fillReply(head, record, record.message)
      return
    case "user":
      if (isJsonObject(record.message)) fillUser(head, record, record.message)
      return
    case "attachment":
      fillAttachment(head, record)
      return
    case "progress":
      head.role = "progress"
      fillNestedUsage(head, record.data)
      return
    case "system":
      fillSystem(head, record)
      return
    case "content-replacement":
      head.role = "replacement"
      head.targets = replacedCalls(record.replacements)
      return
    case "last-prompt":
      fillLastPrompt(head, record)
      return
    case "tag":
      if (typeof record.tag !== "string") return
      head.role = "tag"
      head.text = record.tag
      return
    case "file-history-snapshot":
      if (length > SNAPSHOT_LIMIT) head.role = "skip"
      return
    default:
      head.title = titleHead(record)
      head.role = head.title ? "title" : roleOfKind(head.kind)
  }
}

/** Such as `user` or `progress:hook_progress`. */
function kindOf(record: JsonObject): string {
  const type = stringOf(record.type) ?? "without type"
  const subtype = subtypeOf(type, record)
  return subtype === undefined ? type : `${type}:${subtype}`
}

function subtypeOf(type: string, record: JsonObject): string | undefined {
  if (type === "system") return stringOf(record.subtype)
  if (type === "progress") return isJsonObject(record.data) ? stringOf(record.data.type) : undefined
  if (type === "attachment") return isJsonObject(record.attachment) ? stringOf(record.attachment.type) : undefined
  return type === "queue-operation" ? stringOf(record.operation) : undefined
}

const NONE: readonly never[] = []

function fillReply(head: Head, record: JsonObject, message: JsonObject): void {
  const model = stringOf(message.model)
  const key = responseKey(record, message)
  head.role = "reply"
  fillUsage(head, message, key)
  head.reply = {
    key: key ?? "",
    model: model === SYNTHETIC ? undefined : head.usage?.model || model,
    calls: callsIn(message.content),
    stopReason: stringOf(message.stop_reason),
  }
  if (record.isApiErrorMessage === true && model === SYNTHETIC) head.isApiError = true
}

function callsIn(content: unknown): readonly CallHead[] {
  let calls: CallHead[] | undefined
  if (Array.isArray(content))
    for (const block of content)
      if (isJsonObject(block) && block.type === "tool_use" && typeof block.id === "string") {
        calls ??= []
        calls.push({ id: block.id, name: stringOf(block.name) ?? "" })
      }
  return calls ?? NONE
}

/** One response of a model has one message and one request, however many lines it has. Without them, a line is one. */
function responseKey(record: JsonObject, message: JsonObject): string | undefined {
  const id = stringOf(message.id)
  const request = stringOf(record.requestId)
  return id === undefined ? stringOf(record.uuid) : request === undefined ? id : `${id}:${request}`
}

/** Iterations that the usage of the message does not include. */
const SIDE_ITERATIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["advisor_message", "compaction"])

function fillUsage(head: Head, { usage, model }: JsonObject, key: string | undefined): void {
  if (!isJsonObject(usage) || key === undefined || model === SYNTHETIC) return
  const iterations = blocksOf(usage.iterations)
  // Of a response that fell back, the model that answered.
  const fallback = iterations.filter(({ type }) => type === "fallback_message").at(-1)
  const named = stringOf(model) ?? ""
  head.usage = { key, model: stringOf(fallback?.model) ?? named, ...tokensOf(usage) }
  const sides = iterations.filter(({ type }) => SIDE_ITERATIONS.has(type))
  if (sides.length > 0)
    head.sideUsages = sides.map((side) => ({ model: stringOf(side.model) ?? named, ...tokensOf(side) }))
}

function tokensOf(usage: JsonObject): Tokens {
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
    cacheWrite1h: numberIn(usage.cache_creation, "ephemeral_1h_input_tokens"),
    webSearches: numberIn(usage.server_tool_use, "web_search_requests"),
    serviceTier:
      usage.speed === "fast" ? "fast" : PRICED_TIERS.has(usage.service_tier) ? String(usage.service_tier) : "",
  }
}

/** Those that are billed other than the standard. */
const PRICED_TIERS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["priority", "batch"])

function numberIn(value: unknown, key: string): number {
  return isJsonObject(value) ? countOf(value[key]) : 0
}

/** A progress line of a sub-agent holds one of its lines. */
function fillNestedUsage(head: Head, data: unknown): void {
  const line = isJsonObject(data) ? data.message : undefined
  if (isJsonObject(line) && line.type === "assistant" && isJsonObject(line.message))
    fillUsage(head, line.message, responseKey(line, line.message))
}

function fillUser(head: Head, record: JsonObject, message: JsonObject): void {
  if (record.isCompactSummary === true) {
    head.role = "summary"
    return
  }
  head.result = resultsIn(message.content, record)
  if (head.result) {
    head.role = "result"
    head.agentId = isJsonObject(record.toolUseResult) ? stringOf(record.toolUseResult.agentId) : undefined
    head.keptResults = head.result.kept
  } else if (record.isMeta === true) head.role = "meta"
  else {
    head.role = "prompt"
    head.text = shortForm(textOf(message.content))
    head.promptKind = promptText(message.content).kind
  }
}

/** Undefined where no block is a result. */
function resultsIn(content: unknown, record: JsonObject): ResultHead | undefined {
  if (!Array.isArray(content)) return undefined
  let calls: (string | undefined)[] | undefined
  let kept: string[] | undefined
  let hasRest = false
  for (const block of content)
    if (isJsonObject(block)) {
      if (block.type !== "tool_result") hasRest = true
      else {
        calls ??= []
        const [name] = KEPT_RESULT.exec(textOf(block.content)) ?? []
        if (name !== undefined) {
          kept ??= []
          kept[calls.length] = name.replaceAll("\\", "/")
        }
        calls.push(stringOf(block.tool_use_id))
      }
    }
  return calls && { calls, hasRest, caller: stringOf(record.sourceToolAssistantUUID), kept }
}

/** The file beside the session that has what was too long, as a result names it. */
const KEPT_RESULT = /tool-results[/\\][\w./\\-]*\w/

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

function fillAttachment(head: Head, record: JsonObject): void {
  const attachment = isJsonObject(record.attachment) ? record.attachment : {}
  const { prompt } = attachment
  const isQueued = attachment.type === "queued_command" && (typeof prompt === "string" || Array.isArray(prompt))
  if (isQueued && attachment.commandMode !== "task-notification") {
    head.role = "queued"
    head.text = shortForm(textOf(prompt))
    if (renderedOf(record) !== undefined) head.isRendered = true
  } else if (renderedOf(record) !== undefined) head.role = "reminder"
}

/** What the model saw of an attachment; newer versions write it, as blocks or as messages without a role. */
export function renderedOf(record: JsonObject): string | JsonObject[] | undefined {
  const attachment = isJsonObject(record.attachment) ? record.attachment : {}
  const rendered = record.rendered ?? attachment.rendered ?? imageReminder(attachment)
  if (typeof rendered === "string") return rendered
  if (!Array.isArray(rendered)) return undefined
  const blocks = rendered.flatMap((item) => renderedBlocks(item) ?? [undefined])
  return blocks.every((block) => block !== undefined) ? blocks : undefined
}

/** What the model gets of an image that the user named: the client does not write its bytes twice. */
function imageReminder({ type, filename, content }: JsonObject): JsonObject[] | undefined {
  const { type: kind, file } = isJsonObject(content) ? content : {}
  if (type !== "file" || kind !== "image" || !isJsonObject(file)) return undefined
  const call = `Called the Read tool with the following input: ${JSON.stringify({ file_path: filename })}`
  const source = { type: "base64", media_type: file.type, data: file.base64 }
  return [{ content: `<system-reminder>\n${call}\n</system-reminder>` }, { type: "image", source }]
}

function renderedBlocks(item: unknown): JsonObject[] | undefined {
  if (!isJsonObject(item)) return undefined
  if (typeof item.type === "string") return [item]
  if (typeof item.content === "string") return [{ type: "text", text: item.content }]
  return Array.isArray(item.content) ? blocksOf(item.content) : undefined
}

function fillSystem(head: Head, record: JsonObject): void {
  switch (record.subtype) {
    case "compact_boundary":
      head.role = "boundary"
      head.boundary = boundaryHead(record)
      return
    case "microcompact_boundary": {
      const metadata = isJsonObject(record.microcompactMetadata) ? record.microcompactMetadata : {}
      head.role = "microcompact"
      head.targets = stringsOf(metadata.compactedToolIds)
      return
    }
    case "model_refusal_fallback":
      head.role = "refusal"
      head.targets = stringsOf(record.retractedMessageUuids)
      return
    case "local_command":
      head.role = typeof record.content === "string" ? "local-command" : "keep"
      if (typeof record.content === "string") head.promptKind = textKind(record.content)
      return
    default:
      head.role = roleOfKind(head.kind)
  }
}

function boundaryHead(record: JsonObject): BoundaryHead {
  const metadata = isJsonObject(record.compactMetadata) ? record.compactMetadata : {}
  const segment = isJsonObject(metadata.preservedSegment) ? metadata.preservedSegment : {}
  const preserved = isJsonObject(metadata.preservedMessages) ? metadata.preservedMessages : {}
  const messages = stringsOf(preserved.uuids)
  const anchor = stringOf(segment.anchorUuid) ?? stringOf(preserved.anchorUuid)
  return {
    logicalParent: stringOf(record.logicalParentUuid) ?? stringOf(record.parentUuid),
    firstKept: stringOf(segment.headUuid) ?? messages[0],
    lastKept: stringOf(segment.tailUuid) ?? messages.at(-1),
    keepsBefore: anchor !== undefined && anchor === record.uuid,
  }
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

/** A leaf of zeros takes earlier pins back. */
const NO_LEAF = "00000000-0000-0000-0000-000000000000"

function fillLastPrompt(head: Head, { leafUuid, explicit }: JsonObject): void {
  head.role = "last-prompt"
  const isExplicit = explicit === true
  if (typeof leafUuid === "string") head.pin = { leaf: leafUuid === NO_LEAF ? undefined : leafUuid, isExplicit }
  else if (leafUuid === null && isExplicit) head.pin = { leaf: null, isExplicit }
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
