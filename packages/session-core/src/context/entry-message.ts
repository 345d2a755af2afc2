import { type CompactionEntry, isEntry, type SessionEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"
import type { CompactionSummaryMessage, Message, RemoteCompaction } from "../entry/message.js"
import { millisOf } from "../entry/time.js"
import { hasContent } from "./llm/message-part.js"

/** The message that an entry adds to the context, or undefined. The stored object itself, unless its content is null. */
export function entryMessage(entry: SessionEntry): Message | undefined {
  if (isEntry(entry, "message")) return hasMessage(entry) ? withContent(entry.message) : undefined
  if (isEntry(entry, "custom_message")) {
    const { customType, content, display, details, attribution } = entry
    return {
      role: "custom",
      customType,
      content: content ?? [],
      display,
      ...(details !== undefined && { details }),
      ...(attribution !== undefined && { attribution }),
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
