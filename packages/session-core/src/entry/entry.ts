import type { CustomMessage, Message, Usage } from "./message.js"
import type { Checkpoint } from "./settings.js"
import { type JsonObject, textIn } from "./values.js"

/** The newest version of the format that this library writes. */
export const CURRENT_VERSION = 3

/** The first line of a session (FORMAT.md, section 2). Unknown fields are kept. */
export interface SessionHeader {
  type: "session"
  /** Absent means 1. */
  version?: number
  id: string
  /** ISO 8601. */
  timestamp: string
  cwd: string
  /** The session that this one was forked from. Opaque: a path in pi, an id or a path in xcsh. */
  parentSession?: string
  /** The id that it claimed: that of another session of the machine that it was imported to. */
  otherContentOf?: string
  title?: string
  titleSource?: string
  [key: string]: unknown
}

/** The fields of an entry that the tree needs. */
export interface EntryHead<Type extends string = string> {
  readonly type: Type
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601. */
  readonly timestamp: string
}

/** A message of the conversation. */
export interface MessageEntry extends EntryHead<"message"> {
  readonly message: Message
}

/** pi writes `provider` and `modelId`, xcsh and omp `model` and `role`; treelog writes all four. */
export interface ModelChangeEntry extends EntryHead<"model_change"> {
  readonly provider?: string
  readonly modelId?: string
  /** `"provider/modelId"`. */
  readonly model?: string
  /** Absent means `default`. */
  readonly role?: string
}

/** A change of the thinking level. */
export interface ThinkingLevelChangeEntry extends EntryHead<"thinking_level_change"> {
  /** Null means off. */
  readonly thinkingLevel: string | null
  readonly configured?: string | null
}

/** A compaction: a summary that replaces earlier entries in the context (FORMAT.md, section 9). */
export interface CompactionEntry extends EntryHead<"compaction"> {
  readonly summary: string
  /** The summary is what the model got, with all words around it (treelog, for sessions of agents). */
  readonly verbatim?: boolean
  /** The messages that the model got for the summary, where they are more than a text of the user (the same). */
  readonly sentAs?: readonly Message[]
  readonly shortSummary?: string
  /** If absent, nothing before the compaction is kept. */
  readonly firstKeptEntryId?: string
  readonly tokensBefore: number
  readonly details?: unknown
  readonly preserveData?: Record<string, unknown>
  /** The last entry in a provider's own compacted history, where more was said before the compaction was stored (omp). */
  readonly providerReplayThroughEntryId?: string
  readonly fromHook?: boolean
  readonly fromExtension?: boolean
  readonly usage?: Usage
  /** Whose usage it is, where treelog converts a session of an agent that names it. */
  readonly provider?: string
  readonly model?: string
  readonly systemMessage?: Message
  /** Messages that are kept instead of those from `firstKeptEntryId` on (pi 1.x). */
  readonly retainedTail?: readonly Message[]
  /** The checkpoint that treelog writes: the settings at this entry. */
  readonly settings?: Checkpoint
}

/** The summary of an abandoned branch. */
export interface BranchSummaryEntry
  extends EntryHead<"branch_summary">,
    Pick<CompactionEntry, "summary" | "details" | "fromHook" | "fromExtension" | "usage"> {
  /** The leaf that was left, or `"root"`. */
  readonly fromId: string
}

/** Data of an extension, which is not part of the context. */
export interface CustomEntry extends EntryHead<"custom"> {
  readonly customType: string
  readonly data?: unknown
}

/** A message of an extension, which is part of the context. */
export type CustomMessageEntry = EntryHead<"custom_message"> & Readonly<Omit<CustomMessage, "role" | "timestamp">>

/** Sets or clears the label of another entry. */
export interface LabelEntry extends EntryHead<"label"> {
  readonly targetId: string
  /** If absent or empty, the label is cleared. */
  readonly label?: string | null
}

/** Sets or clears the name of the session. */
export interface SessionInfoEntry extends EntryHead<"session_info"> {
  /** If empty, the name is cleared. */
  readonly name?: string
}

/** The rules that xcsh or omp injected into the conversation. */
export interface TtsrInjectionEntry extends EntryHead<"ttsr_injection"> {
  readonly injectedRules: string[]
}

/** The system prompt, task and tools of a sub-agent. */
export interface SessionInitEntry extends EntryHead<"session_init"> {
  readonly systemPrompt: string
  readonly task: string
  readonly tools: string[]
  readonly outputSchema?: unknown
}

/** A change of the mode, such as plan mode (omp, xcsh). */
export interface ModeChangeEntry extends EntryHead<"mode_change"> {
  /** `"none"` on leaving a mode. */
  readonly mode: string
  readonly data?: Record<string, unknown>
}

/** Replaces or omits the message of another entry in the context (pi 1.x). */
export interface ContextEditEntry extends EntryHead<"context_edit"> {
  readonly targetId: string
  /** Null omits the target's message; otherwise its content is replaced. */
  readonly replacement: { content: unknown } | null
}

/** Usage outside the transcript: pi 1.x writes `usage`, omp `model_usage`. */
export interface UsageEntry extends EntryHead<"usage" | "model_usage"> {
  readonly provider?: string
  readonly model?: string
  /** The role of the part of the session that used it, such as `subagent`. */
  readonly role?: string
  readonly usage?: Usage
}

/** The context starts after this entry; everything before it is left out. */
export type ResetBoundaryEntry = EntryHead<"reset_boundary">

/** Sets the title of the session (omp). */
export interface TitleChangeEntry extends EntryHead<"title_change"> {
  readonly title: string
  readonly source?: string
}

/** pi agent-core: the leaf is `targetId` after this entry. */
export interface LeafEntry extends EntryHead<"leaf"> {
  readonly targetId: string | null
}

/** Kinds that are kept byte for byte and give no message. */
export interface OtherEntry extends EntryHead {
  readonly [key: string]: unknown
}

/** Entries whose kind this library knows. */
export type KnownEntry =
  | MessageEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry
  | TtsrInjectionEntry
  | SessionInitEntry
  | ModeChangeEntry
  | ContextEditEntry
  | UsageEntry
  | ResetBoundaryEntry
  | TitleChangeEntry
  | LeafEntry

/** One entry of a session (FORMAT.md, section 2). Narrow it with `isEntry(entry, type)`. */
export type SessionEntry = KnownEntry | OtherEntry

/** The type of the entries with this `type`. */
export type EntryOfType<Type extends KnownEntry["type"]> = Extract<KnownEntry, { type: Type }>

/** Narrows an entry by its type. Fields can still be missing or of another type, as in real files. */
export function isEntry<Type extends KnownEntry["type"]>(entry: SessionEntry, type: Type): entry is EntryOfType<Type> {
  return entry.type === type
}

/** The name that an entry gives the session: empty where it clears it, undefined for other entries. */
export function givenName(entry: SessionEntry): string | undefined {
  if (isEntry(entry, "session_info")) return textIn(entry.name)
  return isEntry(entry, "title_change") && typeof entry.title === "string" ? entry.title : undefined
}

/** The custom type of an entry that replaces an unreadable one. Readers ignore it. */
export const DAMAGED = "treelog.damaged"

/** A placeholder for a damaged entry, so that entries below it keep their path to the root. */
export function damagedEntry({ id, parentId, timestamp }: EntryHead, data: JsonObject): JsonObject {
  return { type: "custom", id, parentId, timestamp, customType: DAMAGED, data }
}

/** The custom type of the entry that treelog appends to make a bare `branch()` survive a reload. */
export const LEAF_MARKER = "treelog.leaf"

/** Whether an entry only records the leaf: a leaf marker of treelog, or pi agent-core's `leaf`. It is not part of the conversation. */
export function isLeafMarker(entry: SessionEntry): boolean {
  return isEntry(entry, "leaf") || (isEntry(entry, "custom") && entry.customType === LEAF_MARKER)
}
