import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import { contentText } from "../../entry/message-text.js"
import { millisOf } from "../../entry/time.js"
import { isTreelogError } from "../../errors.js"
import type { SessionLog } from "../../log/session-log.js"
import type { StorageStat } from "../../ports/session-storage.js"

/** What a list says of a session (FORMAT.md, section 8). */
export interface SessionInfo {
  /** The storage's key of the session: for files, its path. */
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string
  readonly parentSession?: string
  /** Milliseconds since 1970. */
  readonly created: number
  /** The newest user or assistant message, else the header, else the storage's own time. Milliseconds since 1970. */
  readonly modified: number
  readonly messageCount: number
  /** Text of the first user message; empty when there is none. */
  readonly firstMessage: string
  /** Bytes. */
  readonly size: number
  readonly status: SessionStatus
  /** Why the session cannot be read. It is listed all the same. */
  readonly error?: { readonly code: string; readonly message: string }
}

/** How the last turn ended, as far as the last message tells. */
export type SessionStatus = "complete" | "interrupted" | "aborted" | "error" | "pending" | "unknown"

/** Sums a session up. Damaged lines count for nothing here, and hide nothing. */
export function summarize(log: SessionLog, path: string, stat: StorageStat): SessionInfo {
  const { header } = log
  const summary = new Summary()
  for (const { value } of log.records) summary.add(value)
  const created = millisOf(header.timestamp)
  const name = summary.name ?? log.titleSlot?.title ?? textOf(header.title)
  const parentSession = textOf(header.parentSession)
  return {
    path,
    id: header.id,
    cwd: textOf(header.cwd) ?? "",
    ...(name && { name }),
    ...(parentSession && { parentSession }),
    created: created || stat.modified,
    modified: summary.modified || created || stat.modified,
    messageCount: summary.messageCount,
    firstMessage: summary.firstMessage,
    size: stat.size,
    status: summary.status,
  }
}

/** A row for a session that cannot be read. */
export function brokenInfo(
  path: string,
  id: string | undefined,
  error: Error,
  stat: StorageStat | undefined,
): SessionInfo {
  const when = stat?.modified ?? 0
  return {
    path,
    id: id ?? "",
    cwd: "",
    created: when,
    modified: when,
    messageCount: 0,
    firstMessage: "",
    size: stat?.size ?? 0,
    status: "unknown",
    error: { code: isTreelogError(error) ? error.code : "StorageError", message: error.message },
  }
}

class Summary {
  name: string | undefined
  modified = 0
  messageCount = 0
  firstMessage = ""
  status: SessionStatus = "unknown"

  add(value: JsonObject): void {
    if (value.type === "session_info") this.name = textOf(value.name) ?? ""
    else if (value.type === "title_change") this.name = textOf(value.title) ?? this.name
    else if (value.type === "message") this.#addMessage(value)
  }

  #addMessage({ message, timestamp }: JsonObject): void {
    this.messageCount += 1
    if (!isJsonObject(message)) return
    this.status = statusAfter(message) ?? this.status
    if (message.role !== "user" && message.role !== "assistant") return
    const time = typeof message.timestamp === "number" ? message.timestamp : millisOf(timestamp)
    if (time > this.modified) this.modified = time
    if (message.role === "user" && this.firstMessage === "") this.firstMessage = contentText(message.content)
  }
}

/** Undefined for messages that are no part of a turn, such as a bash run. */
function statusAfter({ role, stopReason }: JsonObject): SessionStatus | undefined {
  if (role === "user") return "pending"
  if (role === "toolResult") return "interrupted"
  if (role !== "assistant") return undefined
  if (stopReason === "toolUse") return "interrupted"
  return stopReason === "aborted" || stopReason === "error" ? stopReason : "complete"
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
