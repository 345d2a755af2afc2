import type { ContentBlock } from "../../entry/content.js"
import { isJsonObject } from "../../entry/json-object.js"
import type {
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
  FileMentionMessage,
  HookMessage,
  Message,
  OtherMessage,
  UserMessage,
} from "../../entry/message.js"
import { valueText } from "../../entry/value-text.js"
import { fileMentionText, mentionedFiles, picturesIn } from "./file-mention.js"
import type { LlmMessage, SystemMessage } from "./llm-message.js"
import { isExcluded } from "./message-part.js"
import { bashText, pythonText } from "./run-text.js"

/** A message that cannot be converted for a model. */
export interface LlmDiagnostic {
  readonly kind: "unknown-role" | "not-a-message"
  /** Index in the input; `SessionContext.entries` has the id of its entry at the same index. */
  readonly index: number
  readonly message: string
}

/** Messages for a model, and the messages that could not be converted. */
export interface LlmMessages {
  messages: LlmMessage[]
  diagnostics: LlmDiagnostic[]
}

/**
 * Converts the messages of a context to the roles that models know (FORMAT.md, section 6): commands, mentioned files, custom
 * messages and summaries become user messages. Messages that need no change are the same objects. Messages of unknown roles are
 * left out and reported; commands that the user excluded from the context are left out.
 */
export function convertToLlm(messages: readonly Message[]): LlmMessages {
  const converted: LlmMessage[] = []
  const diagnostics: LlmDiagnostic[] = []
  for (const [index, message] of messages.entries()) {
    const result = llmMessage(message)
    if (typeof result === "object") converted.push(result)
    else if (result !== "excluded") diagnostics.push(leftOut(index, result, message))
  }
  return { messages: converted, diagnostics }
}

function llmMessage(message: Message): LlmMessage | LlmDiagnostic["kind"] | "excluded" {
  if (!isJsonObject(message) || typeof message.role !== "string") return "not-a-message"
  if (isExcluded(message)) return "excluded"
  const known = message as KnownMessage
  switch (known.role) {
    case "system":
    case "developer":
    case "user":
    case "assistant":
    case "toolResult":
      return known
    case "bashExecution":
      return saidByUser(known, bashText(known), picturesIn(known.images))
    case "pythonExecution":
      return saidByUser(known, pythonText(known))
    case "fileMention":
      return mentioned(known)
    case "custom":
    case "hookMessage":
      return customSaid(known)
    case "branchSummary":
      return saidByUser(known, `${BRANCH}\n\n<summary>\n${summaryOf(known)}</summary>`)
    case "compactionSummary":
      return saidByUser(known, `${COMPACTION}\n\n<summary>\n${summaryOf(known)}\n</summary>`)
    default:
      return "unknown-role"
  }
}

type KnownMessage = Exclude<Message, OtherMessage> | SystemMessage

const BRANCH = "The following is a summary of a branch that this conversation came back from:"
const COMPACTION = "The conversation history before this point was compacted into the following summary:"

function summaryOf({ summary }: BranchSummaryMessage | CompactionSummaryMessage): string {
  return typeof summary === "string" ? summary : ""
}

function mentioned(message: FileMentionMessage): UserMessage {
  const files = mentionedFiles(message)
  return saidByUser(message, fileMentionText(files), picturesIn(files.map(({ image }) => image)))
}

function customSaid(message: CustomMessage | HookMessage): UserMessage {
  const { content } = message
  if (typeof content === "string") return saidByUser(message, content)
  return userMessage(message, Array.isArray(content) ? content : [])
}

function saidByUser(message: Converted, text: string, images: readonly ContentBlock[] = []): UserMessage {
  return userMessage(message, [{ type: "text", text }, ...images])
}

type Converted = { readonly timestamp: number; readonly attribution?: unknown }

function userMessage({ timestamp, attribution }: Converted, content: ContentBlock[]): UserMessage {
  return { role: "user", content, ...(typeof attribution === "string" && { attribution }), timestamp }
}

function leftOut(index: number, kind: LlmDiagnostic["kind"], message: Message): LlmDiagnostic {
  const what = kind === "unknown-role" ? `has the role ${valueText(message.role)}, which no model knows` : "is none"
  return { kind, index, message: `Message ${index} ${what}; it is left out.` }
}
