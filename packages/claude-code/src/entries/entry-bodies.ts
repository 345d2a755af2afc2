import { contentText } from "@treelog/session-core"
import { countIn, isObject, type Json, objectIn, objectsIn, textIn, usageFields } from "@treelog-internal/agent-files"
import { isCommand, promptText } from "../source/prompt-text.js"
import { type ResponseUsage, replacementsOf } from "../source/record-head.js"
import { renderedOf } from "../source/rendered.js"
import { messageOf, type RecordPlace, type SourceRecord } from "../source/source-record.js"
import { resultContent, userContent } from "./content.js"

/** Results that the client took out of the context, as its own models saw them. */
const CLEARED = "[Old tool result content cleared]"

const REMINDER = /^<system-reminder>\n([\s\S]*?)\n?<\/system-reminder>\s*$/

const STOP_REASONS = { waits: undefined, left: "aborted", done: "stop" } as const

/** An entry without its place in the tree. */
export interface EntryBody {
  readonly type: string
  readonly [field: string]: unknown
}

/** A prompt that waited. @param time milliseconds since 1970 */
export function queuedBody(prompt: unknown, time: number): EntryBody {
  return { type: "message", message: userMessage(prompt, time) }
}

/** What an attachment of such a prompt says. */
export function promptOf({ value }: SourceRecord): unknown {
  return attachmentOf(value).prompt
}

/** The blocks of a line of results that are no results. @param time milliseconds since 1970 */
export function besideResultsBody({ value }: SourceRecord, time: number): EntryBody {
  const blocks = objectsIn(messageOf(value).content).filter(({ type }) => type !== "tool_result")
  return { type: "message", message: userMessage(blocks, time) }
}

export function metaBody({ value }: SourceRecord): EntryBody {
  const content = userContent(messageOf(value).content)
  return { type: "custom_message", customType: "claude-code.meta", content, display: false }
}

export function localCommandBody({ value }: SourceRecord): EntryBody {
  const content = textIn(value, "content") ?? ""
  return { type: "custom_message", customType: "claude-code.local_command", content, display: true }
}

/** Of messages that were taken back. @param fromId the last of them */
export function branchSummaryBody(boundary: SourceRecord, summary: SourceRecord, fromId: string): EntryBody {
  return { type: "branch_summary", ...summaryFields(summary, metadataOf(boundary)), fromId }
}

export function modelBody(modelId: string): EntryBody {
  const provider = "anthropic"
  return { type: "model_change", provider, modelId, model: `${provider}/${modelId}`, role: "default" }
}

export function placeBody({ cwd, gitBranch }: RecordPlace): EntryBody {
  return customBody("claude-code.cwd", { cwd, ...(gitBranch !== undefined && { gitBranch }) })
}

/** A record as it is. */
export function keptBody({ value }: SourceRecord): EntryBody {
  return customBody(`claude-code.${textIn(value, "type") ?? "unknown"}`, value)
}

export function customBody(customType: string, data?: object): EntryBody {
  return { type: "custom", customType, ...(data && { data }) }
}

/** @param role of the sub-agent that used it */
export function usageBody(usage: ResponseUsage, role?: string): EntryBody {
  const own = role !== undefined && { role }
  return { type: "usage", provider: "anthropic", model: usage.model, ...own, usage: usageFields(usage) }
}

function userMessage(content: unknown, timestamp: number): object {
  return { role: "user", content: userContent(content), timestamp }
}

/** Whether a prompt waits for a reply, the client ended before it had one, or none was to come. */
export type PromptState = "waits" | "left" | "done"

/**
 * What the client wrote has what the user typed in its place, and whether a reply was to come.
 * @param isPrompt whether it is a command that counts as one
 * @param time milliseconds since 1970
 */
export function promptBody({ value }: SourceRecord, state: PromptState, isPrompt: boolean, time: number): EntryBody {
  const { content } = messageOf(value)
  const { kind, text } = promptText(content)
  const prompt = isCommand(kind) && !isPrompt ? "" : text
  const stopReason = kind === "interruption" ? "aborted" : STOP_REASONS[state]
  const message = {
    ...userMessage(content, time),
    ...(prompt !== contentText(content) && { prompt }),
    ...(stopReason !== undefined && { stopReason }),
  }
  return { type: "message", message }
}

export function reminderBody({ value }: SourceRecord): EntryBody {
  const { type } = attachmentOf(value)
  const content = userContent(renderedOf(value) ?? "")
  // The client moves what goes as words of the user to the start of the turn, and what goes as words of the system to its end.
  const placement = value.renderedRole === "system" ? "last" : "first"
  const customType = "claude-code.attachment"
  return { type: "custom_message", customType, content, display: false, details: { type }, placement }
}

/** The results of a line. @param toolOf the name of the tool of a call @param time milliseconds since 1970 */
export function resultBodies({ value }: SourceRecord, toolOf: (call: string) => string, time: number): EntryBody[] {
  const blocks = objectsIn(messageOf(value).content).filter(({ type }) => type === "tool_result")
  return blocks.map((block, at) =>
    resultBody(block, at === 0 ? detailsOf(value.toolUseResult) : undefined, toolOf, time),
  )
}

function resultBody(block: Json, details: unknown, toolOf: (call: string) => string, time: number): EntryBody {
  const toolCallId = textIn(block, "tool_use_id") ?? ""
  const message = {
    role: "toolResult",
    toolCallId,
    toolName: toolOf(toolCallId),
    content: resultContent(block.content),
    ...(details !== undefined && { details }),
    isError: block.is_error === true,
    timestamp: time,
  }
  return { type: "message", message }
}

/** What a sub-agent used is counted in entries of its own, and must not be read as the usage of its result. */
function detailsOf(result: unknown): unknown {
  if (!isObject(result) || result.usage === undefined) return result
  const { usage, ...details } = result
  return { ...details, subagentUsage: usage }
}

export function compactionBody(
  boundary: SourceRecord | undefined,
  summary: SourceRecord,
  firstKeptEntryId: string,
): EntryBody {
  const metadata = boundary ? metadataOf(boundary) : {}
  const tokensBefore = countIn(metadata, "preTokens")
  return { type: "compaction", ...summaryFields(summary, metadata), firstKeptEntryId, tokensBefore }
}

function metadataOf({ value }: SourceRecord): Json {
  return objectIn(value, "compactMetadata") ?? {}
}

function summaryFields({ value, uuid }: SourceRecord, metadata: Json): object {
  return {
    summary: contentText(messageOf(value).content),
    details: { ...metadata, ...(uuid !== undefined && { summaryUuid: uuid }) },
  }
}

/** What takes the place of each target of a record that edits; null where nothing does. */
export function replacementsFor(record: SourceRecord): (object | null)[] {
  const { role, targets = [] } = record
  if (role === "refusal") return targets.map(() => null)
  const texts =
    role === "microcompact"
      ? targets.map(() => CLEARED)
      : replacementsOf(record.value.replacements).map(({ text }) => text)
  return texts.map((text) => ({ content: [{ type: "text", text }] }))
}

/** The words in which the model got a message. @param sent its own record, or messages of requests that hold it */
export function sentContent(record: SourceRecord, sent: readonly SourceRecord[]): unknown {
  const rendered = renderedOf(record.value)
  // What the user said comes as their words, without the tags.
  if (rendered !== undefined) return contentText(userContent(rendered)).replace(REMINDER, "$1")
  const { content } = messageOf(record.value)
  const said = contentText(content)
  const texts = sent.flatMap(({ value }) => objectsIn(messageOf(value).content).map((block) => textIn(block, "text")))
  return texts.find((text) => text?.includes(said)) ?? userContent(content)
}

function attachmentOf(value: Json): Json {
  return objectIn(value, "attachment") ?? {}
}
