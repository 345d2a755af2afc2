import { type EntryHead, isEntry, kindOf, type SessionEntry } from "@treelog/session-core"
import { DAMAGED } from "@treelog/session-core/adapter"
import { lineWithoutMarkdown, readableLine } from "../text/readable-text.js"
import { blocksOf, type Fields, isFields, numberIn } from "./fields.js"
import { callSubject, toolCallOf } from "./tool-call.js"

/** The author of an entry, or its kind. A note is bookkeeping. */
export type Speaker =
  | "user"
  | "assistant"
  | "tool"
  | "bash"
  | "system"
  | "custom"
  | "compaction"
  | "branch"
  | "reset"
  | "note"

/** The part of an entry that stays in memory: enough for the tree, the plot, and the layout of rows. */
export interface EntrySummary extends EntryHead {
  readonly speaker: Speaker
  /** The start of its text, as one line, safe to display. */
  readonly text: string
  /** Ids of the tool calls of an answer. */
  readonly calls: readonly string[] | undefined
  /** Whether it has nothing but tool calls. */
  readonly isOnlyCalls: boolean
  /** The id of the call of a tool result. */
  readonly answers: string | undefined
  /** Whether it is data that a program keeps, and nothing that was said or set. */
  readonly isData: boolean
  /** Whether a tool, a run or an answer failed. */
  readonly failed: boolean
  readonly spent: Spent | undefined
  /** Size of the entry in bytes. */
  readonly size: number
}

/** Usage and cost of a model call. */
export interface Spent {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** All tokens of the call: the size of the context at the answer. */
  readonly total: number
  /** Usually US dollars. */
  readonly cost: number
  readonly model: string
}

const LENGTH = 160

/** @param size of the entry in bytes */
export function summarize(entry: SessionEntry, size: number): EntrySummary {
  const fields = entry as unknown as Fields
  const message = entry.type === "message" && isFields(fields.message) ? fields.message : undefined
  const speaker = message ? speakerOfRole(message.role) : speakerOfType(entry.type)
  const calls = message?.role === "assistant" ? callsIn(message) : []
  return {
    type: entry.type,
    id: entry.id,
    parentId: entry.parentId,
    timestamp: typeof entry.timestamp === "string" ? entry.timestamp : "",
    speaker,
    text: ownCopy(message ? messageLine(message) : entryLine(entry, fields)),
    calls: calls.length > 0 ? calls : undefined,
    isOnlyCalls: calls.length > 0 && !saysSomething(message?.content),
    answers: message?.role === "toolResult" && typeof message.toolCallId === "string" ? message.toolCallId : undefined,
    isData: isEntry(entry, "custom") && entry.customType !== DAMAGED,
    failed: message !== undefined && hasFailed(message),
    spent: spentIn(message ?? fields),
    size,
  }
}

const ROLES: Readonly<Record<string, Speaker>> = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool",
  bashExecution: "bash",
  pythonExecution: "bash",
  system: "system",
  developer: "system",
  branchSummary: "branch",
  compactionSummary: "compaction",
}

function speakerOfRole(role: unknown): Speaker {
  return (typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? "custom"
}

const TYPES: Readonly<Record<string, Speaker>> = {
  message: "custom",
  custom_message: "custom",
  compaction: "compaction",
  branch_summary: "branch",
  reset_boundary: "reset",
}

function speakerOfType(type: string): Speaker {
  return (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? "note"
}

function callsIn(message: Fields): string[] {
  return blocksOf(message.content).flatMap((block) => toolCallOf(block)?.id ?? [])
}

function saysSomething(content: unknown): boolean {
  return blocksOf(content).some(({ type, text }) => (type === "text" ? text !== "" : type === "image"))
}

function hasFailed({ role, isError, exitCode, cancelled, stopReason }: Fields): boolean {
  if (role === "toolResult") return isError === true
  if (role === "assistant") return stopReason === "error" || stopReason === "aborted"
  return cancelled === true || (typeof exitCode === "number" && exitCode !== 0)
}

function entryLine(entry: SessionEntry, { content, summary, shortSummary }: Fields): string {
  if (entry.type === "custom_message") return contentLine(content, withoutMarks)
  if (entry.type === "branch_summary") return withoutMarks(summary)
  if (entry.type === "compaction") return withoutMarks(shortSummary ?? summary)
  return readableLine(kindOf(entry).describe(entry), LENGTH)
}

function messageLine(message: Fields): string {
  const { role, content, command, code, files, summary, errorMessage, stopReason } = message
  if (role === "bashExecution") return readableLine(command, LENGTH)
  if (role === "pythonExecution") return readableLine(code, LENGTH)
  if (role === "fileMention" && files !== undefined)
    return readableLine(
      blocksOf(files)
        .map(({ path }) => `@${readableLine(path, LENGTH)}`)
        .join(" "),
      LENGTH,
    )
  if (role === "branchSummary" || role === "compactionSummary") return withoutMarks(summary)
  const said = contentLine(content, role === "assistant" ? withoutMarks : asItIs)
  if (said !== "") return said
  if (role === "system") return isFields(message.sections) ? asItIs(Object.values(message.sections)[0]) : ""
  if (role === "assistant" && stopReason === "error") return readableLine(errorMessage ?? "failed", LENGTH)
  return content === undefined ? readableLine(message, LENGTH) : ""
}

/** The first text of a content, or else its calls, or else its images. */
function contentLine(content: unknown, line: (text: unknown) => string): string {
  const blocks = blocksOf(content)
  const text = blocks.find((block) => block.type === "text" && readableLine(block.text, 8) !== "")
  if (text) return line(text.text)
  const calls = blocks.flatMap((block) => toolCallOf(block) ?? [])
  if (calls.length > 0)
    return readableLine(calls.map((call) => `${call.name} ${callSubject(call)}`).join(" · "), LENGTH)
  return blocks.some(({ type }) => type === "image") ? "(picture)" : ""
}

const asItIs = (text: unknown): string => readableLine(text, LENGTH)
const withoutMarks = (text: unknown): string => lineWithoutMarkdown(text, LENGTH)

function spentIn({ usage, provider, model }: Fields): Spent | undefined {
  if (!isFields(usage)) return undefined
  const input = numberIn(usage.input)
  const output = numberIn(usage.output)
  const cacheRead = numberIn(usage.cacheRead)
  const cacheWrite = numberIn(usage.cacheWrite)
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    total: numberIn(usage.totalTokens) || input + output + cacheRead + cacheWrite,
    cost: numberIn(isFields(usage.cost) ? usage.cost.total : usage.cost),
    model: readableLine(typeof provider === "string" && typeof model === "string" ? `${provider}/${model}` : model, 80),
  }
}

/** A copy of a substring that does not keep the whole string in memory. */
function ownCopy(text: string): string {
  return text === "" ? text : JSON.parse(JSON.stringify(text))
}
