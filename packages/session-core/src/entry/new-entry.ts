import type { ContentBlock, ImageContent, TextContent } from "./content.js"
import type { Message, Usage } from "./message.js"
import { modelName } from "./model-ref.js"
import type { Checkpoint } from "./settings.js"

/** An entry before it has its place in the tree: its type and its own fields, in the order in which they are written. */
export interface NewEntry {
  readonly type: string
  readonly [field: string]: unknown
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

/** What a sub-agent was started with. */
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

/** Only the fields that have a value, so that none is written as undefined. */
export function omitUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
