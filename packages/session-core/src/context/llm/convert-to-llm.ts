import type { ContentBlock } from "../../entry/content.js"
import { isJsonObject } from "../../entry/json-object.js"
import type { Message, OtherMessage, UserMessage } from "../../entry/message.js"
import { valueText } from "../../entry/value-text.js"
import { fileMentionText, mentionedFiles } from "./file-mention.js"
import type { LlmMessage, SystemMessage } from "./llm-message.js"
import { isExcluded } from "./message-part.js"
import { bashText, pythonText, textOf } from "./run-text.js"

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
    const leave = (kind: LlmDiagnostic["kind"], what: string): void => {
      diagnostics.push({ kind, index, message: `Message ${index} ${what}; it is left out.` })
    }
    if (!isJsonObject(message) || typeof message.role !== "string") leave("not-a-message", "is none")
    else if (!isExcluded(message)) {
      const result = llmMessage(message as KnownMessage)
      if (result) converted.push(result)
      else leave("unknown-role", `has the role ${valueText(message.role)}, which no model knows`)
    }
  }
  return { messages: converted, diagnostics }
}

type KnownMessage = Exclude<Message, OtherMessage> | SystemMessage

function llmMessage(message: KnownMessage): LlmMessage | undefined {
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
    case "assistant":
    case "toolResult":
      return message
    case "bashExecution":
      return userMessage(message, bashText(message), message.images)
    case "pythonExecution":
      return userMessage(message, pythonText(message))
    case "fileMention": {
      const files = mentionedFiles(message)
      return userMessage(
        message,
        fileMentionText(files),
        files.map(({ image }) => image),
      )
    }
    case "custom":
    case "hookMessage":
      return userMessage(message, message.content)
    case "branchSummary":
      return userMessage(message, `${BRANCH}\n\n<summary>\n${textOf(message.summary)}</summary>`)
    case "compactionSummary":
      return userMessage(message, `${COMPACTION}\n\n<summary>\n${textOf(message.summary)}\n</summary>`)
    default:
      return undefined
  }
}

const BRANCH = "The following is a summary of a branch that this conversation came back from:"
const COMPACTION = "The conversation history before this point was compacted into the following summary:"

/** @param images only image blocks are sent, and the text blocks that `repairContext` puts in their places */
function userMessage(
  { timestamp, attribution }: { readonly timestamp: number; readonly attribution?: unknown },
  said: unknown,
  images?: unknown,
): UserMessage {
  const pictures = Array.isArray(images) ? images.filter(isPicture) : []
  const text = typeof said === "string" ? [{ type: "text", text: said }, ...pictures] : undefined
  const content = text ?? (Array.isArray(said) ? said : [])
  return { role: "user", content, ...(typeof attribution === "string" && { attribution }), timestamp }
}

function isPicture(value: unknown): value is ContentBlock {
  return isJsonObject(value) && (value.type === "image" || value.type === "text")
}
