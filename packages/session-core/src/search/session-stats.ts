import { FileOperations } from "../context/file-operations.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import { partOf } from "../entry/part.js"
import { addTotals, addUsages, type ModelUsage, sumOfUsages, type UsageTotals, usagesOf } from "../entry/usage.js"
import { isJsonObject, type JsonObject, millisOf, stampText } from "../entry/values.js"

/**
 * Counts a session, all branches: messages by role, tokens and cost by model (of answers, compactions, branch
 * summaries, tool results and usage entries), files, and the time that it spans.
 * @param entries of one session, or of several: a copy, as forks have them, counts once
 * @param parts of the session: what they used and which files they touched counts with it, and none of their messages
 */
export function sessionStats(entries: Iterable<SessionEntry>, parts: readonly PartEntries[] = []): SessionStats {
  const tally = new StatsTally(new Set(parts.map(({ name }) => name)))
  for (const entry of entries) tally.add(entry)
  for (const { role, entries } of parts) for (const entry of entries) tally.addOfPart(entry, role)
  return tally.stats()
}

/** A part of a session, such as the transcript of a sub-agent, with its entries. */
export interface PartEntries {
  /** Of its artifact. */
  readonly name: string
  readonly role: string
  readonly entries: Iterable<SessionEntry>
}

/** What a session amounts to. */
export interface SessionStats {
  /** Entries of every kind. */
  entries: number
  /** How many messages of each role. */
  messages: Record<string, number>
  /** By `"provider/model"`; what names no model, such as the usage of a compaction, stands under `"unknown"`. */
  models: Record<string, UsageTotals>
  total: UsageTotals
  /** The usage by calls that are alike: what `costOf` estimates a cost from. */
  usages: ModelUsage[]
  /** Files that were read, and not modified; paths as they were given. */
  readFiles: string[]
  modifiedFiles: string[]
  /** Tools, such as shells, of whose calls it is unknown which files they read or modified. */
  unknownTools: string[]
  /** ISO 8601: when the first and the last entry were made. */
  from?: string
  to?: string
}

/** Counts entries, each once: an entry with the id and the time of another one is a copy of it, as forks have them. */
class StatsTally {
  readonly #seen = new Set<string>()
  readonly #messages = new Map<string, number>()
  readonly #usages: ModelUsage[] = []
  readonly #files = new FileOperations()
  /** The names of the parts that are counted. */
  readonly #parts: ReadonlySet<string> | undefined
  #from = Number.POSITIVE_INFINITY
  #to = Number.NEGATIVE_INFINITY

  constructor(parts?: ReadonlySet<string>) {
    this.#parts = parts
  }

  /** Of a fork of the session that it works for, it has copies. */
  addOfPart(entry: SessionEntry, role: string): void {
    if (this.#seen.has(copyKey(entry))) return
    this.#addFiles(entry)
    addUsages(
      this.#usages,
      usagesOf(entry).map((usage) => ({ ...usage, role })),
    )
  }

  add(entry: SessionEntry): void {
    const key = copyKey(entry)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#addFiles(entry)
    this.#addTime(millisOf(entry.timestamp))
    addUsages(this.#usages, usagesOf(entry, this.#parts))
    if (isEntry(entry, "message") && isJsonObject(entry.message)) this.#addMessage(entry.message)
  }

  stats(): SessionStats {
    return {
      entries: this.#seen.size,
      messages: Object.fromEntries(this.#messages),
      models: Object.fromEntries(totalsByModel(this.#usages)),
      total: sumOfUsages(this.#usages),
      usages: this.#usages,
      ...this.#files.lists(),
      unknownTools: this.#files.unknownTools,
      ...(this.#from <= this.#to && { from: isoOf(this.#from), to: isoOf(this.#to) }),
    }
  }

  #addFiles(entry: SessionEntry): void {
    this.#files.addEntry(entry)
    this.#files.addResult(entry)
    this.#files.addLists(partOf(entry))
  }

  #addMessage(message: JsonObject): void {
    const role = typeof message.role === "string" ? message.role : "none"
    // What a program said in the user's place has an empty prompt.
    const counted = message.prompt === "" ? "other" : role
    this.#messages.set(counted, (this.#messages.get(counted) ?? 0) + 1)
  }

  #addTime(millis: number): void {
    // 0 stands for no time.
    if (!millis) return
    this.#from = Math.min(this.#from, millis)
    this.#to = Math.max(this.#to, millis)
  }
}

/** What copies of an entry have in common. */
function copyKey({ id, timestamp }: SessionEntry): string {
  return `${id} ${stampText(timestamp)}`
}

function isoOf(millis: number): string {
  return new Date(millis).toISOString()
}

function totalsByModel(usages: readonly ModelUsage[]): Map<string, UsageTotals> {
  const models = new Map<string, UsageTotals>()
  for (const { model, usage } of usages) {
    const totals = models.get(model) ?? sumOfUsages([])
    models.set(model, totals)
    addTotals(totals, usage)
  }
  return models
}
