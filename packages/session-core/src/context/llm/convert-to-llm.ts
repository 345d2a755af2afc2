import type { TextContent } from "../../entry/content.js"
import { isJsonObject } from "../../entry/json-object.js"
import type {
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
  Message,
  OtherMessage,
  UserMessage,
} from "../../entry/message.js"
import { valueText } from "../../entry/value-text.js"
import { bashText } from "./bash-text.js"
import type { LlmMessage, SystemMessage } from "./llm-message.js"

/** A message that no model can get. */
export interface LlmDiagnostic {
  readonly kind: "unknown-role" | "not-a-message"
  /** Its place in the list that was given; `SessionContext.entries` has the id of its entry at the same place. */
  readonly index: number
  readonly message: string
}

/** Messages for a model, and what could not become one. */
export interface LlmMessages {
  messages: LlmMessage[]
  diagnostics: LlmDiagnostic[]
}

/**
 * The messages of a context in the roles that models know (FORMAT.md, section 6): commands, custom messages and summaries
 * become words of the user. Messages that need no change are the same objects. What has a role that nobody knows is left
 * out and reported; a command that was excluded from the context is left out as its user asked.
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
  const known = message as KnownMessage
  switch (known.role) {
    case "system":
    case "developer":
    case "user":
    case "assistant":
    case "toolResult":
      return known
    case "bashExecution":
      return known.excludeFromContext ? "excluded" : saidByUser(known, bashText(known))
    case "custom":
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

function customSaid(message: CustomMessage): UserMessage {
  const { content, timestamp } = message
  if (typeof content === "string") return saidByUser(message, content)
  return { role: "user", content: Array.isArray(content) ? content : [], timestamp }
}

function saidByUser({ timestamp }: { readonly timestamp: number }, text: string): UserMessage {
  const block: TextContent = { type: "text", text }
  return { role: "user", content: [block], timestamp }
}

function leftOut(index: number, kind: LlmDiagnostic["kind"], message: Message): LlmDiagnostic {
  const what = kind === "unknown-role" ? `has the role ${valueText(message.role)}, which no model knows` : "is none"
  return { kind, index, message: `Message ${index} ${what}; it is left out.` }
}
