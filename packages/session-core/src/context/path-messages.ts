import type { Diagnostic } from "../entry/diagnostic.js"
import { type CompactionEntry, isEntry, type SessionEntry } from "../entry/entry.js"
import type { CompactionSummaryMessage, Message, RemoteCompaction } from "../entry/message.js"
import { isJsonObject, type JsonObject, millisOf, objectsIn } from "../entry/values.js"
import type { EntryPath } from "./entry-path.js"
import { hasContent } from "./message-part.js"

/** The message that an entry adds to the context, or undefined. The stored object itself, unless its content is null. */
export function entryMessage(entry: SessionEntry): Message | undefined {
  if (isEntry(entry, "message")) return hasMessage(entry) ? withContent(entry.message) : undefined
  if (isEntry(entry, "custom_message")) {
    const { customType, content, display, details, attribution, placement } = entry
    return {
      role: "custom",
      customType,
      content: content ?? [],
      display,
      ...(details !== undefined && { details }),
      ...(attribution !== undefined && { attribution }),
      ...(placement !== undefined && { placement }),
      timestamp: millisOf(entry.timestamp),
    }
  }
  if (isEntry(entry, "branch_summary") && entry.summary) {
    return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp: millisOf(entry.timestamp) }
  }
  return undefined
}

/** Whether an entry of type `message` has a message: an object with a role. In real files some have none. */
export function hasMessage({ message }: { readonly message: unknown }): boolean {
  return isJsonObject(message) && typeof message.role === "string"
}

/** The message with the summary of a compaction. */
export function compactionMessage(entry: CompactionEntry): CompactionSummaryMessage {
  const payload = remoteCompaction(entry)
  return {
    role: "compactionSummary",
    summary: entry.summary,
    ...(entry.verbatim === true && { verbatim: true }),
    ...(entry.shortSummary !== undefined && { shortSummary: entry.shortSummary }),
    tokensBefore: entry.tokensBefore,
    ...(payload && { providerPayload: payload }),
    timestamp: millisOf(entry.timestamp),
  }
}

/** A provider's own compacted history, if it is complete (FORMAT.md, section 6, step 4). */
function remoteCompaction(entry: CompactionEntry): RemoteCompaction | undefined {
  const remote = isJsonObject(entry.preserveData) ? entry.preserveData.openaiRemoteCompaction : undefined
  if (!isJsonObject(remote) || typeof remote.provider !== "string" || remote.provider === "") return undefined
  return Array.isArray(remote.replacementHistory) ? (remote as RemoteCompaction) : undefined
}

/** Null content becomes empty content, and so does missing content of roles that have content, so that consumers need no checks. */
export function withContent(message: Message): Message {
  const content = "content" in message ? message.content : undefined
  if (content === undefined ? !hasContent(message.role) : content !== null) return message
  return { ...message, content: message.role === "system" ? "" : [] } as Message
}

/** A change of an entry's message: null omits it, otherwise its content is replaced. */
type Edit = { readonly content: unknown } | null

export function isEdit(replacement: unknown): replacement is Edit {
  return replacement === null || isJsonObject(replacement)
}

/**
 * The last edit of each target on the path (FORMAT.md, section 6, step 5).
 * @param from index of the first entry that the model still sees: earlier edits have only unseen targets
 */
export function editsOn(path: EntryPath, from = 0): { edits: Map<string, Edit>; diagnostics: Diagnostic[] } {
  const edits = new Map<string, Edit>()
  const diagnostics: Diagnostic[] = []
  for (let index = path.length - 1; index >= from; index--) {
    if (path.type(index) !== "context_edit") continue
    const entry = path.entry(index)
    if (!isEntry(entry, "context_edit") || edits.has(entry.targetId)) continue
    const { id, targetId, replacement } = entry
    if (isEdit(replacement)) edits.set(targetId, replacement)
    else diagnostics.push(invalidField(id, `Edit ${id} has no replacement; it is ignored.`))
  }
  return { edits, diagnostics }
}

/**
 * For each entry of a path the message that the model gets from it, with edits applied; undefined for bookkeeping and compactions.
 * @param from index of the first entry that the model still sees
 * @param first entries before it are not read, and give undefined
 */
export function pathMessages(
  path: EntryPath,
  from = 0,
  first = from,
): { messages: (Message | undefined)[]; diagnostics: Diagnostic[] } {
  const { edits, diagnostics } = editsOn(path, from)
  /** The tools of calls, by their ids, in what edits put in the place of replies. */
  const editedCalls = new Map<unknown, unknown>()
  const messages = Array.from({ length: path.length }, (_, index) => {
    const edit = index < first ? null : edits.get(path.id(index))
    if (edit === null) return undefined
    const entry = path.entry(index)
    const message = entryMessage(entry)
    if (!message && entry.type === "message")
      diagnostics.push(
        invalidField(entry.id, `Entry ${entry.id} is of type message, but holds none; it gives nothing.`),
      )
    const sent = message && edit ? withContent(applyEdit(message, edit)) : message
    const { role, content, toolCallId } = (sent ?? {}) as JsonObject
    if (edit && role === "assistant")
      for (const { type, id, name } of objectsIn(content)) if (type === "toolCall") editedCalls.set(id, name)
    const toolName = role === "toolResult" ? editedCalls.get(toolCallId) : undefined
    return typeof toolName === "string" ? ({ ...sent, toolName } as Message) : sent
  })
  return { messages, diagnostics }
}

/** Roles whose content an edit replaces; others it can only omit, as in pi. */
const EDITED: ReadonlySet<string> = /* @__PURE__ */ new Set(["user", "assistant", "toolResult", "custom"])

/** The message with its content replaced, as a new object. A string becomes a text block where the role asks for blocks. */
function applyEdit(message: Message, { content }: NonNullable<Edit>): Message {
  if (!EDITED.has(message.role)) return message
  const needsBlocks = message.role === "assistant" || message.role === "toolResult"
  const isText = needsBlocks && typeof content === "string"
  return { ...message, content: isText ? [{ type: "text", text: content }] : content } as Message
}

function invalidField(entryId: string, message: string): Diagnostic {
  return { kind: "invalid-field", entryId, message }
}
