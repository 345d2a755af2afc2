import { isExcluded, mentionedFiles } from "../context/message-part.js"
import { withoutSections } from "../context/system-message.js"
import { documentIn } from "../entry/document.js"
import type {
  AssistantMessage,
  BashExecutionMessage,
  ContentBlock,
  Message,
  OtherMessage,
  PythonExecutionMessage,
  ToolResultMessage,
  UserMessage,
} from "../entry/message.js"
import { isJsonObject, type JsonObject, objectsIn, textIn, valueText } from "../entry/values.js"

/** Instructions for the model, at the start of a conversation or within it. */
export interface SystemMessage {
  role: "system" | "developer"
  content: string | ContentBlock[]
  [key: string]: unknown
}

/** A message of a role that models know. In real sessions its content can still be null or missing. */
export type LlmMessage = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage

/** A message that cannot be converted for a model, or a block of one. */
export interface LlmDiagnostic {
  readonly kind: "unknown-role" | "not-a-message" | "unknown-block"
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
 * messages and summaries become user messages, and the sections of a system message its text. Messages that need no change are the same
 * objects. Messages of unknown roles are
 * left out and reported; commands that the user excluded from the context are left out.
 */
export function convertToLlm(messages: readonly Message[]): LlmMessages {
  const converted: LlmMessage[] = []
  const diagnostics: LlmDiagnostic[] = []
  for (const [index, message] of messages.entries()) {
    const leave = (kind: LlmDiagnostic["kind"], what: string): void => {
      diagnostics.push({ kind, index, message: `Message ${index} ${what}; it is left out.` })
    }
    if (!isJsonObject(message) || typeof message.role !== "string") leave("not-a-message", "is not a message")
    else if (!isExcluded(message)) {
      const result = llmMessage(withoutSections(message as KnownMessage, index))
      if (result) {
        converted.push(result)
        for (const type of unknownBlocks(result)) diagnostics.push(unknownBlock(index, type))
      } else leave("unknown-role", `has the role ${valueText(message.role)}, which no model knows`)
    }
  }
  return { messages: converted, diagnostics }
}

/** Types of blocks that the converters to the forms of APIs write. */
const BLOCKS: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  "text",
  "image",
  "thinking",
  "redactedThinking",
  "toolCall",
])

/** The types of a message's blocks that no form of an API has, each once. */
function unknownBlocks({ content }: { readonly content: unknown }): Set<string> {
  const unknown = objectsIn(content).filter((block) => !BLOCKS.has(block.type) && !documentIn(block))
  return new Set(unknown.map(({ type }) => valueText(type)))
}

function unknownBlock(index: number, type: string): LlmDiagnostic {
  const message = `Message ${index} has a block of type ${type}, which no API's form has; that block is left out.`
  return { kind: "unknown-block", index, message }
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
      return userMessage(message, `${BRANCH}\n\n<summary>\n${textIn(message.summary)}</summary>`)
    case "compactionSummary":
      if (message.verbatim === true) return userMessage(message, textIn(message.summary))
      return userMessage(message, `${COMPACTION}\n\n<summary>\n${textIn(message.summary)}\n</summary>`)
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

/** The text that a model gets for a command that the user ran (FORMAT.md, section 6). */
function bashText(run: BashExecutionMessage): string {
  const whole = run.truncated && run.fullOutputPath
  const notes = whole ? [`[Output truncated. Full output: ${run.fullOutputPath}]`] : []
  return runText(`\`${textIn(run.command)}\``, "", run, ["(command cancelled)", "Command exited with code"], notes)
}

/** What the model gets of Python code that was run (omp, xcsh). */
function pythonText(run: PythonExecutionMessage): string {
  const code = `Python:\n\`\`\`python\n${textIn(run.code)}\n\`\`\``
  return runText(code, "Output:\n", run, ["(execution cancelled)", "Execution failed with code"])
}

function runText(
  what: string,
  heading: string,
  run: Pick<BashExecutionMessage, "output" | "cancelled" | "exitCode"> & { readonly meta?: unknown },
  [cancelled, exited]: readonly [string, string],
  notes: readonly string[] = [],
): string {
  const output = textIn(run.output)
  const shown = output === "" ? "(no output)" : `${heading}\`\`\`\n${output}\n\`\`\``
  const end = run.cancelled ? [cancelled] : run.exitCode ? [`${exited} ${run.exitCode}`] : []
  const truncation =
    isJsonObject(run.meta) && isJsonObject(run.meta.truncation) ? truncationNote(run.meta.truncation) : []
  return [`Ran ${what}\n${shown}`, ...end, ...truncation, ...notes].join("\n\n")
}

/** Which part of the output is there, and where the rest is. */
function truncationNote(truncation: JsonObject): string[] {
  const { shownRange, totalLines, outputLines, truncatedBy, nextOffset, artifactId } = truncation
  const range = isJsonObject(shownRange) && Number(shownRange.end) >= Number(shownRange.start) ? shownRange : undefined
  const shown = range
    ? `Showing lines ${range.start}-${range.end} of ${totalLines}`
    : `Showing ${outputLines} of ${totalLines} lines`
  const bytes = truncatedBy === "bytes" ? (truncation.maxBytes ?? truncation.outputBytes) : undefined
  const limit = typeof bytes === "number" ? ` (${sizeOf(bytes)} limit)` : ""
  const next = typeof nextOffset === "number" ? `. Use sel=L${nextOffset} to continue` : ""
  const rest = artifactId === undefined || artifactId === null ? "" : `. Read artifact://${artifactId} for full output`
  return [`[${shown}${limit}${next}${rest}]`]
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"]
  return `${size.toFixed(1)}${unit}`
}

// Messages of the role `fileMention` (omp, xcsh): the files that a user mentioned with @.

/** The text for the model (FORMAT.md, section 6). */
function fileMentionText(files: readonly JsonObject[]): string {
  const parts = files.map(({ path, content }) => {
    const inner = typeof content === "string" && content !== "" ? `\n${content}\n` : "\n"
    return `<file path="${textIn(path)}">${inner}</file>`
  })
  return `<system-reminder>\n${parts.join("\n\n")}\n</system-reminder>`
}
