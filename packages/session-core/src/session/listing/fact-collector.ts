import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import { contentText } from "../../entry/message-text.js"
import { millisOf } from "../../entry/time.js"
import type { MessageSketch } from "../../log/scan-message.js"
import type { LogOutline } from "../../log/session-log.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import type { SessionFacts, SessionStatus } from "./session-info.js"
import type { SessionSummary } from "./session-summary.js"

/** Collects the facts that a list shows from the header and the entries of a session, one after the other. */
export class FactCollector {
  #id = ""
  #cwd = ""
  #parentSession: string | undefined
  /** The times of header and messages are 0 as long as there is none. */
  created = 0
  modified = 0
  #name: string | undefined
  #messageCount = 0
  #firstMessage = ""
  #status: SessionStatus = "unknown"

  /** @param former the facts of the entries before */
  constructor(former?: SessionSummary) {
    if (!former) return
    const { resume } = former
    const { info = former.info } = resume
    this.#id = info.id
    this.#cwd = info.cwd
    this.#parentSession = info.parentSession
    this.created = resume.created
    this.modified = resume.modified
    this.#name = info.name
    this.#messageCount = info.messageCount
    this.#firstMessage = info.firstMessage
    this.#status = info.status
  }

  facts({ size, modified }: StorageStat): SessionFacts {
    return {
      id: this.#id,
      cwd: this.#cwd,
      ...(this.#name && { name: this.#name }),
      ...(this.#parentSession && { parentSession: this.#parentSession }),
      created: this.created || modified,
      modified: this.modified || this.created || modified,
      messageCount: this.#messageCount,
      firstMessage: this.#firstMessage,
      size,
      status: this.#status,
    }
  }

  addHeader({ header, titleSlot }: LogOutline): void {
    this.#id = header.id
    this.#cwd = textOf(header.cwd) ?? ""
    this.#parentSession = textOf(header.parentSession)
    this.created = millisOf(header.timestamp)
    this.#name = titleSlot?.title ?? textOf(header.title)
  }

  addEntry(entry: JsonObject): void {
    if (entry.type === "session_info") this.#name = textOf(entry.name) ?? ""
    else if (entry.type === "title_change") this.#name = textOf(entry.title) ?? this.#name
    else if (entry.type === "message") this.#addMessage(entry)
  }

  /** The same as `addEntry` for a message of which only this much was read. */
  addSketch(message: MessageSketch): void {
    this.#count(message.role, message.role === "assistant" ? message.stopReason : undefined)
    if (message.role === "assistant") this.modified = Math.max(this.modified, message.timestamp)
  }

  #addMessage({ message, timestamp }: JsonObject): void {
    const { role, stopReason, timestamp: time, content } = isJsonObject(message) ? message : {}
    this.#count(role, stopReason)
    if (role !== "user" && role !== "assistant") return
    this.modified = Math.max(this.modified, typeof time === "number" ? time : millisOf(timestamp))
    if (role === "user" && this.#firstMessage === "") this.#firstMessage = contentText(content)
  }

  #count(role: unknown, stopReason: unknown): void {
    this.#messageCount += 1
    this.#status = statusAfter(role, stopReason) ?? this.#status
  }
}

/** Undefined for messages that are no part of a turn, such as a bash run. */
function statusAfter(role: unknown, stopReason: unknown): SessionStatus | undefined {
  if (role === "user") return "pending"
  if (role === "toolResult") return "interrupted"
  if (role !== "assistant") return undefined
  if (stopReason === "toolUse") return "interrupted"
  return stopReason === "aborted" || stopReason === "error" ? stopReason : "complete"
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
