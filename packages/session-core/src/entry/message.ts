import type { ContentBlock, ImageContent, TextContent } from "./content.js"

/** Tokens and cost as a provider reported them. Fields may be missing in files of the wild. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens?: number
  cost?: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number }
}

/** What the user said. */
export interface UserMessage {
  role: "user"
  content: string | ContentBlock[]
  /** Whether a person or a program is the author, for providers that bill by that (omp, xcsh). */
  attribution?: string
  /** Milliseconds since 1970. */
  timestamp: number
}

/** What a model answered. */
export interface AssistantMessage {
  role: "assistant"
  content: ContentBlock[]
  provider: string
  model: string
  api?: string
  usage?: Usage
  stopReason?: "stop" | "length" | "toolUse" | "error" | "aborted" | (string & {})
  errorMessage?: string
  timestamp: number
}

/** What a tool answered. */
export interface ToolResultMessage {
  role: "toolResult"
  toolCallId: string
  toolName: string
  content: ContentBlock[]
  details?: unknown
  isError?: boolean
  timestamp: number
}

/** A command that the user ran. */
export interface BashExecutionMessage {
  role: "bashExecution"
  command: string
  output: string
  exitCode?: number | null
  cancelled: boolean
  truncated: boolean
  fullOutputPath?: string
  /** True when the run is shown to people, but not to the model. */
  excludeFromContext?: boolean
  /** Pictures in the output (omp). */
  images?: ImageContent[]
  timestamp: number
}

/** Python code that the user ran (omp, xcsh). */
export interface PythonExecutionMessage {
  role: "pythonExecution"
  code: string
  output: string
  exitCode?: number | null
  cancelled: boolean
  truncated: boolean
  /** True when the run is shown to people, but not to the model. */
  excludeFromContext?: boolean
  timestamp: number
}

/** Files that the user named with @, as they were then (omp, xcsh). */
export interface FileMentionMessage {
  role: "fileMention"
  files: MentionedFile[]
  timestamp: number
}

/** A file of a `FileMentionMessage`. */
export interface MentionedFile {
  path: string
  content: string
  lineCount?: number
  byteSize?: number
  image?: ImageContent
}

/** A message of an extension. */
export interface CustomMessage {
  role: "custom"
  customType: string
  content: string | (TextContent | ImageContent)[]
  display: boolean
  details?: unknown
  attribution?: string
  timestamp: number
}

/** The same as a program calls it that knew no extensions yet. */
export interface HookMessage extends Omit<CustomMessage, "role"> {
  role: "hookMessage"
}

/** What a branch that was left was about. */
export interface BranchSummaryMessage {
  role: "branchSummary"
  summary: string
  fromId: string
  timestamp: number
}

/** What stands in the place of all that a compaction left behind. */
export interface CompactionSummaryMessage {
  role: "compactionSummary"
  summary: string
  shortSummary?: string
  tokensBefore: number
  /** A provider's own compacted history, to be sent instead of the summary to that provider. */
  providerPayload?: RemoteCompaction
  timestamp: number
}

/** What a provider's server-side compaction left behind (`preserveData.openaiRemoteCompaction`). */
export interface RemoteCompaction {
  provider: string
  replacementHistory: unknown[]
  [key: string]: unknown
}

/** Roles that are kept and passed on as they are: `system`, `developer`, any other. */
export interface OtherMessage {
  role: string & {}
  [key: string]: unknown
}

/** What an entry of type `message` holds, and what a context is made of. Tell them apart by `role`. */
export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | PythonExecutionMessage
  | FileMentionMessage
  | CustomMessage
  | HookMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | OtherMessage
