import { isEntry, type SessionEntry } from "@treelog/session-core"
import { DAMAGED } from "@treelog/session-core/adapter"
import { type ModelUsage, sumOfUsages, usagesOf } from "@treelog/session-core/search"
import {
  blocksOf,
  contentLine,
  entryLine,
  type Fields,
  isObject,
  type TreePart,
  treePartOf,
} from "@treelog-internal/text"
import { lineWithoutMarkdown, readableLine } from "../text/readable-text.js"
import { toolCallOf } from "./tool-call.js"

type EntryHead = Pick<SessionEntry, "type" | "id" | "parentId" | "timestamp">

/** The authors of entries, or their kinds, for people; the icon of each has the name of the speaker itself. A note is bookkeeping. */
export const SPEAKER_NAMES = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
  bash: "Run by the user",
  system: "System",
  custom: "Extension",
  compaction: "Compaction",
  branch: "Branch summary",
  reset: "Context reset",
  note: "Note",
} as const

export type Speaker = keyof typeof SPEAKER_NAMES

/** The part of an entry that stays in memory: enough for the tree, the plot, and the layout of rows. */
export interface EntrySummary extends EntryHead {
  readonly speaker: Speaker
  /** The start of its text, as one line, safe to display. */
  readonly text: string
  /** Ids of the tool calls of an answer. */
  readonly calls: readonly string[] | undefined
  readonly part: TreePart
  /** The id of the call of a tool result. */
  readonly answers: string | undefined
  /** Whether it is bookkeeping, or something for the model alone, and nothing that was said: a run of such entries is one line. */
  readonly isQuiet: boolean
  /** Whether a tool, a run or an answer failed. */
  readonly failed: boolean
  readonly spent: Spent | undefined
  /** Size of the entry in bytes. */
  readonly size: number
}

/** The usage of a model call, or of several that an entry reports. */
export interface Spent {
  readonly usages: readonly ModelUsage[]
  /** All tokens: of one call, the size of the context at the answer. */
  readonly total: number
  readonly model: string
}

const LENGTH = 160

/** @param size of the entry in bytes */
export function summarize(entry: SessionEntry, size: number): EntrySummary {
  const fields = entry as unknown as Fields
  const message = entry.type === "message" && isObject(fields.message) ? fields.message : undefined
  const speaker = message ? speakerOfRole(message.role) : speakerOfType(entry.type)
  const calls = message?.role === "assistant" ? callsIn(message) : []
  // The call shows the name of the tool.
  const text = speaker === "tool" ? contentLine(message?.content) : entryLine(entry).text
  return {
    type: entry.type,
    id: entry.id,
    parentId: entry.parentId,
    timestamp: typeof entry.timestamp === "string" ? entry.timestamp : "",
    speaker,
    text: ownCopy(speaker === "user" ? readableLine(text, LENGTH) : lineWithoutMarkdown(text, LENGTH)),
    calls: calls.length > 0 ? calls : undefined,
    part: treePartOf(entry),
    answers: message?.role === "toolResult" && typeof message.toolCallId === "string" ? message.toolCallId : undefined,
    isQuiet: speaker === "system" || (speaker === "note" ? !isDamaged(entry) : isHidden(message ?? fields)),
    failed: message !== undefined && hasFailed(message),
    spent: spentIn(entry, message ?? fields),
    size,
  }
}

function isDamaged(entry: SessionEntry): boolean {
  return isEntry(entry, "custom") && entry.customType === DAMAGED
}

/** Hidden from users by the program that wrote it. */
function isHidden({ display }: Fields): boolean {
  return display === false
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

function hasFailed({ role, isError, exitCode, cancelled, stopReason }: Fields): boolean {
  if (role === "toolResult") return isError === true
  if (role === "assistant") return stopReason === "error" || stopReason === "aborted"
  return cancelled === true || (typeof exitCode === "number" && exitCode !== 0)
}

function spentIn(entry: SessionEntry, { usage, provider, model }: Fields): Spent | undefined {
  const usages = usagesOf(entry)
  if (usages.length === 0 && !isObject(usage)) return undefined
  return {
    usages,
    total: sumOfUsages(usages).totalTokens,
    model: readableLine(typeof provider === "string" && typeof model === "string" ? `${provider}/${model}` : model, 80),
  }
}

/** A copy of a substring that does not keep the whole string in memory. */
function ownCopy(text: string): string {
  return text === "" ? text : JSON.parse(JSON.stringify(text))
}
