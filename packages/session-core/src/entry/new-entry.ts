import type { ContentBlock, ImageContent, TextContent } from "./content.js"
import type { Message, Usage } from "./message.js"
import { modelName } from "./model-ref.js"
import type { Checkpoint } from "./settings.js"

/** An entry without id, parent and timestamp: its type and its own fields, in the order in which they are written. */
export interface NewEntry {
  readonly type: string
  readonly [field: string]: unknown
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
