import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import { contentText } from "../../entry/message-text.js"
import { millisOf } from "../../entry/time.js"
import type { MessageSketch } from "../../log/scan-message.js"
import { NO_FACTS, type SessionStatus, type SummaryFacts } from "./session-reading.js"

/** Collects the facts that a list shows from the entries of a session, one after the other. */
export class FactCollector {
  #name: string | undefined
  #modified: number
  #messageCount: number
  #firstMessage: string
  #status: SessionStatus

  constructor({ name, modified, messageCount, firstMessage, status }: SummaryFacts = NO_FACTS) {
    this.#name = name
    this.#modified = modified
    this.#messageCount = messageCount
    this.#firstMessage = firstMessage
    this.#status = status
  }

  get facts(): SummaryFacts {
    return {
      ...(this.#name !== undefined && { name: this.#name }),
      modified: this.#modified,
      messageCount: this.#messageCount,
      firstMessage: this.#firstMessage,
      status: this.#status,
    }
  }

  add(entry: JsonObject): void {
    if (entry.type === "session_info") this.#name = textOf(entry.name) ?? ""
    else if (entry.type === "title_change") this.#name = textOf(entry.title) ?? this.#name
    else if (entry.type === "message") this.#addMessage(entry)
  }

  /** The same for a message of which only this much was read. */
  addSketch(message: MessageSketch): void {
    this.#messageCount += 1
    const { stopReason, timestamp = 0 } = message.role === "assistant" ? message : { stopReason: undefined }
    this.#status = statusAfter(message.role, stopReason) ?? this.#status
    if (timestamp > this.#modified) this.#modified = timestamp
  }

  #addMessage({ message, timestamp }: JsonObject): void {
    this.#messageCount += 1
    if (!isJsonObject(message)) return
    const { role } = message
    this.#status = statusAfter(role, message.stopReason) ?? this.#status
    if (role !== "user" && role !== "assistant") return
    const time = typeof message.timestamp === "number" ? message.timestamp : millisOf(timestamp)
    if (time > this.#modified) this.#modified = time
    if (role === "user" && this.#firstMessage === "") this.#firstMessage = contentText(message.content)
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
