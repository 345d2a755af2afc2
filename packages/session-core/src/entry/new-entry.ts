import { TreelogError } from "../errors.js"
import type { ContentBlock, ImageContent, TextContent } from "./content.js"
import { isJsonObject } from "./json-object.js"
import type { Message, Usage } from "./message.js"
import { modelName } from "./model-ref.js"
import type { Checkpoint } from "./settings.js"

/** An entry before it has its place in the tree: its type and its own fields, in the order in which they are written. */
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
  return { type: entry.type, ...given(entry) }
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

/** Written for every reader: pi's fields and xcsh's and omp's. */
export function newModelChange(provider: string, modelId: string, role: string): NewEntry {
  return { type: "model_change", provider, modelId, model: modelName({ provider, modelId }), role }
}

/** What a compaction may carry beside its summary and boundary. */
export interface CompactionExtras {
  readonly shortSummary?: string
  readonly preserveData?: Record<string, unknown>
  readonly usage?: Usage
  readonly systemMessage?: Message
}

/** Written for every reader: `fromHook` is pi's word, `fromExtension` xcsh's. The settings are treelog's checkpoint. */
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
    ...given({ details }),
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
    ...given({ details }),
    ...extensionMark(fromExtension),
    ...given({ usage }),
  }
}

export function newCustomMessage(
  customType: string,
  content: string | (TextContent | ImageContent | ContentBlock)[],
  display: boolean,
  { details, attribution }: { details?: unknown; attribution?: string | undefined },
): NewEntry {
  return { type: "custom_message", customType, content, display, ...given({ details, attribution }) }
}

/** What a sub-agent was started with. */
export interface SessionInit {
  readonly systemPrompt: string
  readonly task: string
  readonly tools: string[]
  readonly outputSchema?: unknown
}

export function newSessionInit({ systemPrompt, task, tools, outputSchema }: SessionInit): NewEntry {
  return { type: "session_init", systemPrompt, task, tools, ...given({ outputSchema }) }
}

function extensionMark(fromExtension: boolean | undefined): object {
  return fromExtension === undefined ? {} : { fromHook: fromExtension, fromExtension }
}

/** Only the fields that have a value, so that none is written as undefined. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
