import { contentText } from "@treelog/session-core"
import { hasTokens, type Json, objectIn, objectsIn, textIn } from "@treelog-internal/agent-files"
import { isKnownKind, kindOf, roleOfKind, SNAPSHOT_LIMIT } from "./kinds.js"
import { type PromptKind, promptText, textKind } from "./prompt-text.js"
import { renderedOf } from "./rendered.js"
import { type ResponseHead, responseIn, SYNTHETIC } from "./response-head.js"

/** Nodes that the client adds by itself. */
export const CLIENT_ROLES = ["meta", "local-command", "reminder"] as const

/** Records that are nodes of the conversation. */
export const NODE_ROLES = [...CLIENT_ROLES, "reply", "prompt", "result", "summary", "boundary", "queued"] as const

export type NodeRole = (typeof NODE_ROLES)[number]

type OtherRole = "title" | "last-prompt" | "tag" | "replacement" | "refusal" | "thoughts-out" | "progress" | "queue"

/** What linking and ordering need of a record, by its kind. */
export interface RecordHead extends ResponseHead {
  /** Such as `user` or `progress:hook_progress`. */
  readonly kind: string
  readonly role: NodeRole | OtherRole | "keep" | "skip" | "damaged"
  /** Of a reply. Undefined for what the client made itself. */
  readonly model?: string | undefined
  /** Of a reply. */
  readonly calls?: readonly { readonly id: string; readonly name: string }[]
  /** Of a reply: whether it says why it stopped. */
  readonly hasStopped?: boolean
  /** Of a reply: whether it has more than thoughts and white space; undefined of one without content. */
  readonly hasWords?: boolean | undefined
  /** Of a reply: an error that the client put in its place, which the model does not get. */
  readonly isApiError?: boolean
  /** Of a line of results, by block: the call, and the file such as `tool-results/b1.txt` that has what was too long. */
  readonly answers?: readonly { readonly call: string | undefined; readonly file: string | undefined }[]
  /** Of a line of results: the uuid of the line of the reply that made the call. */
  readonly caller?: string | undefined
  /** Of a line of results: the sub-agent that worked for the call. */
  readonly agentId?: string | undefined
  /** Of a prompt, also one that waited. */
  readonly text?: string
  readonly promptKind?: PromptKind
  /** Of a kind that this release does not know. */
  readonly hasTokens?: boolean
  readonly boundary?: BoundaryHead
  readonly title?: TitleHead
  /** Of a `last-prompt`. */
  readonly pin?: PinHead
  /** What is kept of a line that holds no record. */
  readonly damaged?: object
  /** Calls, or uuids, that a record edits. */
  readonly targets?: readonly string[]
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
  /** All, where it names each. */
  readonly kept: readonly string[]
  /** Whether the kept messages stand before the summary: it summarizes what followed them. */
  readonly keepsBefore: boolean
}

export interface TitleHead {
  readonly kind: string
  readonly text: string
  /** Of a summary: a line of the session that it belongs to. */
  readonly leaf: string | undefined
}

type Fields = Partial<RecordHead>

/** @param length bytes of the record */
export function headOf(record: Json, length: number): RecordHead {
  const kind = kindOf(record)
  const usage = !isKnownKind(kind) && hasTokens(record) && { hasTokens: true }
  return { kind, role: "keep", ...fieldsOf(record, kind, length), ...usage }
}

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
      return { role: "progress", ...nestedResponse(objectIn(objectIn(record, "data") ?? {}, "message") ?? {}) }
    case "system":
      return systemFields(record, kind)
    case "content-replacement":
      return replacing(record)
    case "last-prompt":
      return { role: "last-prompt", ...pinIn(record) }
    case "queue-operation":
      return { role: "queue" }
    case "tag":
      return typeof record.tag === "string" ? { role: "tag" } : {}
    case "file-history-snapshot":
    case "file-history-delta":
    case "attribution-snapshot":
      return length > SNAPSHOT_LIMIT ? { role: "skip" } : {}
  }
  const text = record[TITLE_FIELDS.get(kind) ?? ""]
  const isTitle = TITLE_FIELDS.has(kind) && typeof text === "string" && !(kind === "summary" && FAILED.test(text))
  if (!isTitle) return { role: roleOfKind(kind) }
  return { role: "title", title: { kind, text, leaf: textIn(record, "leafUuid") } }
}

/** What versions 1 wrote as the summary where the request for one failed. */
const FAILED =
  /^(?:API Error(?:: | \()|Invalid API key ·|Credit balance is too low(?: ·|$)|Claude AI usage limit reached[|,.])/

/** The field that has the title, by the kind of line, from the weakest to the strongest. */
export const TITLE_FIELDS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["summary", "summary"],
  ["ai-title", "aiTitle"],
  ["agent-name", "agentName"],
  ["custom-title", "customTitle"],
])

/** What the client writes where a text must not be empty. */
const PLACEHOLDERS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["", "(no content)", "[Empty text removed]"])

function hasWords(content: unknown): boolean | undefined {
  const blocks = typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : objectsIn(content)
  const isEmpty = ({ type, text }: Json): boolean =>
    type === "thinking" ||
    type === "redacted_thinking" ||
    (type === "text" && typeof text === "string" && PLACEHOLDERS.has(text.trim()))
  return blocks.length === 0 ? undefined : !blocks.every(isEmpty)
}

function replyFields(record: Json, message: Json): Fields {
  const response = responseIn(record, message)
  const calls = objectsIn(message.content).filter(({ type, id }) => type === "tool_use" && typeof id === "string")
  const isSynthetic = message.model === SYNTHETIC
  return {
    role: "reply",
    ...response,
    model: isSynthetic ? undefined : response.usage?.model || textIn(message, "model"),
    calls: calls.map((call) => ({ id: String(call.id), name: textIn(call, "name") ?? "" })),
    hasStopped: textIn(message, "stop_reason") !== undefined,
    hasWords: hasWords(message.content),
    isApiError: record.isApiErrorMessage === true && isSynthetic,
  }
}

/** A progress line of a sub-agent holds one of its lines. */
function nestedResponse(line: Json): ResponseHead {
  const message = line.type === "assistant" && objectIn(line, "message")
  return message ? responseIn(line, message) : {}
}

function userFields(record: Json, message: Json): Fields {
  if (record.isCompactSummary === true) return { role: "summary" }
  const results = objectsIn(message.content).filter(({ type }) => type === "tool_result")
  if (results.length > 0)
    return {
      role: "result",
      answers: results.map((block) => ({ call: textIn(block, "tool_use_id"), file: keptFile(block) })),
      caller: textIn(record, "sourceToolAssistantUUID"),
      agentId: textIn(objectIn(record, "toolUseResult") ?? {}, "agentId"),
    }
  if (record.isMeta === true) return { role: "meta" }
  return { role: "prompt", text: contentText(message.content), promptKind: promptText(message.content).kind }
}

/** The file beside the session that has what was too long, as a result names it. */
function keptFile({ content }: Json): string | undefined {
  const [file] = /tool-results[/\\][\w./\\-]*\w/.exec(contentText(content)) ?? []
  return file?.replaceAll("\\", "/")
}

function replacing(record: Json): Fields {
  return { role: "replacement", targets: replacementsOf(record).map(({ call }) => call) }
}

function attachmentFields(record: Json, { type, prompt, commandMode }: Json): Fields {
  if (type === "tool_results_cut") return replacing(record)
  if (type === "thinking_stripped") return { role: "thoughts-out" }
  const isQueued = type === "queued_command" && (typeof prompt === "string" || Array.isArray(prompt))
  if (isQueued && commandMode !== "task-notification") return { role: "queued", text: contentText(prompt) }
  return renderedOf(record) === undefined ? {} : { role: "reminder" }
}

function systemFields(record: Json, kind: string): Fields {
  const { content } = record
  switch (record.subtype) {
    case "compact_boundary":
      return { role: "boundary", boundary: boundaryIn(record) }
    case "model_refusal_fallback":
      return { role: "refusal", targets: textsIn(record.retractedMessageUuids) }
    case "local_command":
      // The model does not get what is only for display.
      return typeof content === "string" && record.isDisplayOnly !== true
        ? { role: "local-command", promptKind: textKind(content) }
        : {}
  }
  return { role: roleOfKind(kind) }
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
    kept: messages,
    keepsBefore: anchor !== undefined && anchor === record.uuid,
  }
}

/** The texts that stand for the results of calls since then: one for each, or one for all. */
export function replacementsOf({ replacements, attachment }: Json): { call: string; text: string }[] {
  const { callIds, standIn } = objectIn({ attachment }, "attachment") ?? {}
  if (typeof standIn === "string") return textsIn(callIds).map((call) => ({ call, text: standIn }))
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

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : []
}
