import { TreelogError } from "../errors.js"
import type { ContentBlock, ImageContent, TextContent } from "./content.js"
import { isJsonObject } from "./json-object.js"
import type { Message, Usage } from "./message.js"
import { modelName } from "./model-ref.js"
import type { Checkpoint } from "./settings.js"

/** An entry without id, parent and timestamp: its type and its own fields, in the order in which they are written. */
export interface NewEntry {
  readonly type: string
  readonly [field: string]: unknown
}

/** Fields that the session sets itself. */
const RESERVED = ["id", "parentId", "timestamp"]

/** Types of lines that are no entries: a session's header, and omp's title line. */
const NO_ENTRIES: ReadonlySet<string> = /* @__PURE__ */ new Set(["session", "title"])

/** A new entry that a caller made, checked as far as every reader relies on it. @throws InvalidArgumentError */
export function checkedNewEntry(entry: unknown): NewEntry {
  if (!isJsonObject(entry) || typeof entry.type !== "string" || entry.type === "")
    throw invalidEntry("An entry is an object with a type.", entry)
  if (NO_ENTRIES.has(entry.type)) throw invalidEntry(`A line of type "${entry.type}" is no entry.`, entry)
  const reserved = RESERVED.find((field) => entry[field] !== undefined)
  if (reserved) throw invalidEntry(`The session sets the ${reserved} of a new entry: leave it out.`, entry)
  if (entry.type === "message") assertMessage(entry.message)
  return { type: entry.type, ...omitUndefined(entry) }
}

/** @throws InvalidArgumentError */
export function assertMessage(message: unknown): void {
  if (isJsonObject(message) && typeof message.role === "string") return
  throw new TreelogError("InvalidArgumentError", "A message is an object with a role.", {
    argument: "message",
    value: message,
  })
}

function invalidEntry(message: string, value: unknown): TreelogError {
  return new TreelogError("InvalidArgumentError", message, { argument: "entry", value })
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
export interface CompactionExtras {
  readonly shortSummary?: string
  readonly preserveData?: Record<string, unknown>
  readonly usage?: Usage
  readonly systemMessage?: Message
}

/** Has the fields of pi (`fromHook`) and of xcsh (`fromExtension`). The settings are treelog's checkpoint. */
export function newCompaction(
  summary: string,
  firstKeptEntryId: string,
  tokensBefore: number,
  settings: Checkpoint,
  { details, fromExtension, ...extras }: CompactionExtras & { details?: unknown; fromExtension?: boolean | undefined },
): NewEntry {
  const origin = extensionMark(fromExtension)
  return {
    type: "compaction",
    summary,
    firstKeptEntryId,
    tokensBefore,
    ...omitUndefined({ details }),
    ...origin,
    ...extras,
    settings,
  }
}

export function newBranchSummary(
  fromId: string,
  summary: string,
  {
    details,
    fromExtension,
    usage,
  }: { details?: unknown; fromExtension?: boolean | undefined; usage?: Usage | undefined },
): NewEntry {
  return {
    type: "branch_summary",
    fromId,
    summary,
    ...omitUndefined({ details }),
    ...extensionMark(fromExtension),
    ...omitUndefined({ usage }),
  }
}

export function newCustomMessage(
  customType: string,
  content: string | (TextContent | ImageContent | ContentBlock)[],
  display: boolean,
  { details, attribution }: { details?: unknown; attribution?: string | undefined },
): NewEntry {
  return { type: "custom_message", customType, content, display, ...omitUndefined({ details, attribution }) }
}

/** The prompt, task and tools of a sub-agent. */
export interface SessionInit {
  readonly systemPrompt: string
  readonly task: string
  readonly tools: string[]
  readonly outputSchema?: unknown
}

export function newSessionInit({ systemPrompt, task, tools, outputSchema }: SessionInit): NewEntry {
  return { type: "session_init", systemPrompt, task, tools, ...omitUndefined({ outputSchema }) }
}

function extensionMark(fromExtension: boolean | undefined): object {
  return fromExtension === undefined ? {} : { fromHook: fromExtension, fromExtension }
}

/** The fields without those that are undefined. */
export function omitUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
