/** A content block of a message. Unknown types are kept unchanged (FORMAT.md, section 2). */
export type ContentBlock = TextContent | ImageContent | ThinkingContent | ToolCall | UnknownContent

/** A block of text. */
export interface TextContent {
  type: "text"
  text: string
  textSignature?: string
}

/** An image. */
export interface ImageContent {
  type: "image"
  /** Base64 of the image, or a `blob:sha256:<hex>` reference. */
  data: string
  mimeType: string
}

/** The thinking of a model, with the signature that its provider needs back. */
export interface ThinkingContent {
  type: "thinking"
  thinking: string
  thinkingSignature?: string
  redacted?: boolean
}

/** A tool call of an assistant message. */
export interface ToolCall {
  type: "toolCall"
  id: string
  name: string
  arguments: Record<string, unknown>
  thoughtSignature?: string
}

/** A content block of a type that this library does not know. */
export interface UnknownContent {
  type: string & {}
  [key: string]: unknown
}

/** Tokens and cost as a provider reported them. Fields may be missing in real files. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Of `cacheWrite`, what was written for an hour. */
  cacheWrite1h?: number
  /** Of `output`, what was reasoning. */
  reasoning?: number
  totalTokens?: number
  /** Searches of the web by the provider's own tool. */
  webSearches?: number
  /** How the provider served the call, where that was not the standard: `fast`, `priority`, `flex`, `batch`, `us`, `fast-us`. */
  serviceTier?: string
  /** A total above 0 is reported; any other is not known. */
  cost?: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number }
}

/** A message of the user. */
export interface UserMessage {
  role: "user"
  content: string | ContentBlock[]
  /** Whether a person or a program wrote it, for providers that bill by that (omp, xcsh). */
  attribution?: string
  /** What the user typed, where the content has more, such as what an editor put before it. */
  prompt?: string
  /** Milliseconds since 1970. */
  timestamp: number
}

/** An answer of a model. */
export interface AssistantMessage {
  role: "assistant"
  content: ContentBlock[]
  provider: string
  model: string
  api?: string
  usage?: Usage
  stopReason?: "stop" | "length" | "toolUse" | "error" | "aborted" | (string & {})
  errorMessage?: string
  /** What the provider calls the response. A copy of the reply under another id and with another time has it, too. */
  responseId?: string
  /** Of a reply in a converted session: whether its agent recorded the request that it answers. */
  request?: "recorded" | "rebuilt"
  /** Of a reply in a converted session: what its agent sends for a call whose result was never stored, such as that of a killed process. */
  lostResult?: LostResult
  /**
   * Of a reply in a converted session: how its model gets custom messages with a `placement`. `user`: it gets no messages of the system within a conversation, so that each stands
   * before the prompt, or is a part of the result that it follows. `joined`: those behind the messages of the user are one.
   */
  reminders?: "user" | "joined"
  /** Of a reply in a converted session: what its agent sends of its thinking to another model of the provider: all, nothing, or its text. Default: text in `<thinking>` tags. */
  foreignThinking?: "kept" | "omitted" | "text"
  /**
   * Of a reply in a converted session whose agent uses a chat API: the texts of a reply are sent as one, and the files of its results stand in a message of the user behind
   * them, which begins with these words.
   */
  chat?: { readonly files: string }
  timestamp: number
}

/** The words for the result of a call that has none. */
export interface LostResult {
  readonly text: string
  readonly isError: boolean
  /** Whether it stands right behind its call, and not behind all calls of the reply. Default: not. */
  readonly isBehindCall?: boolean
}

/** The result of a tool call. */
export interface ToolResultMessage {
  role: "toolResult"
  toolCallId: string
  toolName: string
  content: ContentBlock[]
  details?: unknown
  isError?: boolean
  /** `stop` where no reply was to come, since the call gave the answer of the turn. */
  stopReason?: "stop" | (string & {})
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
  /** Images in the output (omp). */
  images?: ImageContent[]
  timestamp: number
}

/** Python code that the user ran (omp, xcsh). */
export interface PythonExecutionMessage
  extends Omit<BashExecutionMessage, "role" | "command" | "fullOutputPath" | "images"> {
  role: "pythonExecution"
  code: string
}

/** Files that the user mentioned with @, with their content at that time (omp, xcsh). */
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
  /**
   * Where the model gets it: before all other messages, or, among the messages between a reply and the next, before those of the user or behind them;
   * `beside` is before them, and never a part of a result. Default: where it stands.
   */
  placement?: "start" | "first" | "last" | "beside"
  timestamp: number
}

/** The name of `CustomMessage` in versions before 3. */
export interface HookMessage extends Omit<CustomMessage, "role"> {
  role: "hookMessage"
}

/** The summary of an abandoned branch. */
export interface BranchSummaryMessage {
  role: "branchSummary"
  summary: string
  fromId: string
  timestamp: number
}

/** The summary that replaces the messages before a compaction. */
export interface CompactionSummaryMessage {
  role: "compactionSummary"
  summary: string
  /** The model gets the summary without words around it. */
  verbatim?: boolean
  shortSummary?: string
  tokensBefore: number
  /** A provider's own compacted history, which that provider gets instead of the summary. */
  providerPayload?: RemoteCompaction
  timestamp: number
}

/** The result of a provider's server-side compaction (`preserveData.openaiRemoteCompaction`). */
export interface RemoteCompaction {
  provider: string
  replacementHistory: unknown[]
  [key: string]: unknown
}

/** A message of another role (`system`, `developer`, unknown ones), which is kept unchanged. */
export interface OtherMessage {
  role: string & {}
  [key: string]: unknown
}

/**
 * A message of an entry of type `message`, or of a context. Its `role` says which one it is; TypeScript narrows nothing by that, since there are
 * messages of other roles: `if (message.role === "assistant") usageOf(message as AssistantMessage)`.
 */
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
