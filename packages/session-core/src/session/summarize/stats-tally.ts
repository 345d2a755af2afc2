import { FileOperations } from "../../compaction/file-operations.js"
import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import { modelName } from "../../entry/model-ref.js"
import { countUsage, noUsage, type UsageTotals } from "./usage-totals.js"

/** What sessions amount to, all branches of them. */
export interface SessionStats {
  /** Entries of every kind. */
  entries: number
  /** How many messages of each role. */
  messages: Record<string, number>
  /** By `"provider/model"`; what names no model, such as the usage of a compaction, stands under `"unknown"`. */
  models: Record<string, UsageTotals>
  total: UsageTotals
  /** Files that were read, and not modified; paths as they were given. */
  readFiles: string[]
  modifiedFiles: string[]
  /** ISO 8601: when the first and the last entry were made. */
  from?: string
  to?: string
}

/** Counts entries, each once: an entry with the id and the time of another one is a copy of it, as forks have them. */
export class StatsTally {
  readonly #seen = new Set<string>()
  readonly #messages = new Map<string, number>()
  readonly #models = new Map<string, UsageTotals>()
  readonly #total = noUsage()
  readonly #files = new FileOperations()
  #from = Number.POSITIVE_INFINITY
  #to = Number.NEGATIVE_INFINITY

  add(entry: SessionEntry): void {
    const key = `${entry.id} ${entry.timestamp}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#files.addEntry(entry)
    this.#addTime(Date.parse(entry.timestamp))
    this.#addUsage(entry as unknown as JsonObject)
    if (isEntry(entry, "message") && isJsonObject(entry.message)) this.#addMessage(entry.message)
  }

  stats(): SessionStats {
    return {
      entries: this.#seen.size,
      messages: Object.fromEntries(this.#messages),
      models: Object.fromEntries(this.#models),
      total: this.#total,
      ...this.#files.lists(),
      ...(this.#from <= this.#to && { from: isoOf(this.#from), to: isoOf(this.#to) }),
    }
  }

  #addMessage(message: JsonObject): void {
    const role = typeof message.role === "string" ? message.role : "none"
    this.#messages.set(role, (this.#messages.get(role) ?? 0) + 1)
    this.#addUsage(usageOf(message))
  }

  /** Counts the usage that an entry or a message has of its own. */
  #addUsage({ usage, provider, model }: JsonObject): void {
    if (!isJsonObject(usage)) return
    const name = nameOf(provider, model)
    const totals = this.#models.get(name) ?? noUsage()
    this.#models.set(name, totals)
    countUsage(totals, usage)
    countUsage(this.#total, usage)
  }

  #addTime(millis: number): void {
    if (Number.isNaN(millis)) return
    this.#from = Math.min(this.#from, millis)
    this.#to = Math.max(this.#to, millis)
  }
}

/** xcsh keeps what a tool's own calls to models used in the details of its result. */
function usageOf(message: JsonObject): JsonObject {
  const { role, usage, details } = message
  return role === "toolResult" && usage === undefined && isJsonObject(details) ? details : message
}

/** omp names models with their provider already in some entries. */
function nameOf(provider: unknown, model: unknown): string {
  if (typeof model !== "string" || model === "") return "unknown"
  return typeof provider === "string" && provider !== "" ? modelName({ provider, modelId: model }) : model
}

function isoOf(millis: number): string {
  return new Date(millis).toISOString()
}
