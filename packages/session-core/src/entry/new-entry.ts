import { TreelogError } from "../errors.js"
import type { CompactionEntry } from "./entry.js"
import type { ContentBlock, Usage } from "./message.js"
import { type Checkpoint, modelName } from "./settings.js"
import { isJsonObject } from "./values.js"

/** An entry without id, parent and timestamp: its type and its own fields, in the order in which they are written. */
export interface NewEntry {
  readonly type: string
  readonly [field: string]: unknown
}

/** Fields that the session sets itself. */
const RESERVED = ["id", "parentId", "timestamp"]

/** Types of lines that are not entries: a session's header, and omp's title line. */
const NO_ENTRIES: ReadonlySet<string> = /* @__PURE__ */ new Set(["session", "title"])

/** A new entry that a caller made, checked as far as every reader relies on it. @throws InvalidArgumentError */
export function checkedNewEntry(entry: unknown): NewEntry {
  if (!isJsonObject(entry) || typeof entry.type !== "string" || entry.type === "")
    throw invalidEntryField("entry", entry, "An entry is an object with a type.")
  if (NO_ENTRIES.has(entry.type))
    throw invalidEntryField("entry", entry, `A line of type "${entry.type}" is not an entry.`)
  const reserved = RESERVED.find((field) => entry[field] !== undefined)
  if (reserved)
    throw invalidEntryField("entry", entry, `The session sets the ${reserved} of a new entry: leave it out.`)
  if (entry.type === "message") assertMessage(entry.message)
  return newEntry(entry.type, entry)
}

/** @throws InvalidArgumentError */
export function assertMessage(message: unknown): void {
  if (!isJsonObject(message) || typeof message.role !== "string")
    throw invalidEntryField("message", message, "A message is an object with a role.")
}

function invalidEntryField(argument: string, value: unknown, message: string): TreelogError {
  return new TreelogError("InvalidArgumentError", message, { argument, value })
}

/** The ids of other entries that an entry refers to by its kind. */
export function targetsOf({ type, targetId, firstKeptEntryId }: NewEntry): unknown[] {
  if (type === "context_edit" || type === "label" || type === "leaf") return targetId === null ? [] : [targetId]
  return type === "compaction" && firstKeptEntryId !== undefined ? [firstKeptEntryId] : []
}

/** Has the fields of pi and those of xcsh and omp, so that all of them can read it. */
export function newModelChange(provider: string, modelId: string, role: string): NewEntry {
  return { type: "model_change", provider, modelId, model: modelName({ provider, modelId }), role }
}

/** Optional fields of a compaction. */
export type CompactionExtras = Pick<CompactionEntry, "shortSummary" | "preserveData" | "usage" | "systemMessage">

interface SummaryOrigin {
  readonly details?: unknown
  readonly fromExtension?: boolean | undefined
}

/** Has the fields of pi (`fromHook`) and of xcsh (`fromExtension`). The settings are treelog's checkpoint. */
export function newCompaction(
  summary: string,
  firstKeptEntryId: string,
  tokensBefore: number,
  settings: Checkpoint,
  { details, fromExtension, ...extras }: CompactionExtras & SummaryOrigin,
): NewEntry {
  const origin = { details, fromHook: fromExtension, fromExtension }
  return newEntry("compaction", { summary, firstKeptEntryId, tokensBefore, ...origin, ...extras, settings })
}

export function newBranchSummary(
  fromId: string,
  summary: string,
  { details, fromExtension, usage }: SummaryOrigin & { usage?: Usage | undefined },
): NewEntry {
  return newEntry("branch_summary", { fromId, summary, details, fromHook: fromExtension, fromExtension, usage })
}

export function newCustomMessage(
  customType: string,
  content: string | ContentBlock[],
  display: boolean,
  { details, attribution }: { details?: unknown; attribution?: string | undefined },
): NewEntry {
  return newEntry("custom_message", { customType, content, display, details, attribution })
}

function newEntry(type: string, fields: Record<string, unknown>): NewEntry {
  return { type, ...omitUndefined(fields) }
}

/** The fields without those that are undefined. */
export function omitUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
