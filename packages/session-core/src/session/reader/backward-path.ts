import { keptAfter, retainedMessages } from "../../context/boundary.js"
import { DAMAGED, damagedEntry, type EntryHead, isEntry, type SessionEntry } from "../../entry/entry.js"
import { type Checkpoint, isCheckpoint } from "../../entry/settings.js"
import { isJsonObject } from "../../entry/values.js"
import { byteText } from "../../log/byte-text.js"
import { type EntryLink, usualLink } from "../../log/entry-head.js"
import { parseLine, toEntry } from "../../log/parse-line.js"
import type { BackwardLine } from "../../log/split-lines.js"

// Why this finds the very path that reading everything finds. By id, the last entry in the file counts; read from the end, it
// is the first that is met. A parent that stands behind its child, or an id met twice, would be missed by going on: then, and
// wherever a line is not plainly one entry, it gives up, and everything is read. Before the part that is still seen, all but
// what decides a setting is known by its head alone; a damaged one is a link of the path in both ways of reading.

/**
 * The path from a leaf towards the root, found from the end of a session, no further than its context needs. Of what stands before
 * the part that is seen it holds only what can decide a setting.
 */
export class BackwardPath {
  readonly #leafId: string | undefined
  /** From the leaf on. */
  readonly #taken: SessionEntry[] = []
  readonly #seen = new Set<string>()
  /** The entry that is looked for; undefined until the leaf is known, null at the root. */
  #wanted: string | null | undefined
  /** Up to which entry the context is seen: undefined before a boundary is met, null when the rest is not seen. */
  #seenUntil: string | null | undefined
  /** Whether the last line was on the path: then the next one probably is, too. */
  #isOnPath = false
  #answered = false
  #checkpoint: { readonly settings: Checkpoint; readonly taken: number } | undefined

  /** @param leafId undefined for the last entry */
  constructor(leafId: string | undefined) {
    this.#leafId = leafId
    this.#wanted = leafId
  }

  /** Adds lines towards the beginning. False when no more are needed, or only reading everything can decide. */
  push(lines: Iterable<BackwardLine>): boolean {
    for (const line of lines) if (!this.#add(line) || this.isComplete) return false
    return true
  }

  /** Whether what was read is all that the context needs. */
  get isComplete(): boolean {
    if (this.#wanted === null) return true
    return this.#seenUntil === null && this.#checkpoint !== undefined
  }

  /** Root first. */
  get entries(): SessionEntry[] {
    return [...this.#taken].reverse()
  }

  /** The checkpoint that stands for what was not read, and the entries that follow it. */
  get sinceCheckpoint(): { readonly settings: Checkpoint; readonly entries: SessionEntry[] } | undefined {
    if (this.#wanted === null || !this.#checkpoint) return undefined
    const { settings, taken } = this.#checkpoint
    return { settings, entries: this.entries.slice(this.#taken.length - taken) }
  }

  #add(line: BackwardLine): boolean {
    const found = headOf(line, this.#isOnPath && this.#seenUntil !== null)
    if (found === "none") return true
    if (found === "unsure") return false
    const { head } = found
    // Everything depends on the last line's being whole, and pi's leaf entries name any entry.
    if (this.#seen.size === 0 && this.#leafId === undefined && (!line.terminated || head.type === "leaf")) return false
    const isNew = !this.#seen.has(head.id)
    this.#seen.add(head.id)
    this.#isOnPath = this.#wanted === undefined || head.id === this.#wanted
    if (!this.#isOnPath) return true
    if (!isNew) return false
    if (this.#needsBody(head.type) && !this.#isOutdated(head.type, line)) {
      const entry = found.entry ?? parsedAs(head, line)
      if (entry === "unsure" || (this.#taken.length === 0 && isDamaged(entry))) return false
      this.#take(entry)
    }
    this.#wanted = head.parentId
    return true
  }

  /** Where the context is not seen, bodies are needed of what decides a setting: messages do until one of them names the model. */
  #needsBody(type: string): boolean {
    return this.#seenUntil !== null || (type === "message" ? !this.#answered : DECIDING.has(type))
  }

  /** Whether it is a compaction before the part that is seen, without a checkpoint. */
  #isOutdated(type: string, { bytes }: BackwardLine): boolean {
    return type === "compaction" && this.#seenUntil === null && !byteText(bytes).includes(CHECKPOINT)
  }

  #take(entry: SessionEntry): void {
    this.#taken.push(entry)
    if (isEntry(entry, "message")) this.#answered ||= namesModel(entry.message)
    if (entry.type === "reset_boundary") this.#seenUntil ??= null
    if (isEntry(entry, "compaction")) {
      if (this.#seenUntil === undefined)
        this.#seenUntil = retainedMessages(entry) ? entry.id : (keptAfter(entry) ?? entry.firstKeptEntryId ?? entry.id)
      if (isCheckpoint(entry.settings)) this.#checkpoint ??= { settings: entry.settings, taken: this.#taken.length - 1 }
    }
    if (this.#seenUntil === entry.id) this.#seenUntil = null
  }
}

/** What a setting can be found in, and a checkpoint; messages apart. */
const DECIDING: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "model_change",
  "thinking_level_change",
  "mode_change",
  "ttsr_injection",
  "compaction",
])

/** Stands in every compaction with a checkpoint that treelog wrote. */
const CHECKPOINT = '"settings":{'

/** @param needsBody the line is parsed at once */
function headOf(line: BackwardLine, needsBody: boolean): { head: EntryLink; entry?: SessionEntry } | "none" | "unsure" {
  const head = needsBody ? undefined : usualLink(line)
  if (head) return { head }
  const { records, faults, lost } = parseLine(asLine(line))
  if (lost) return { head: lost, entry: damaged(lost) }
  const [record] = records
  if (!record) return line.terminated || faults.length === 0 ? "none" : "unsure"
  if (records.length > 1 || faults.some(({ kind }) => kind !== "invalid-utf8")) return "unsure"
  const entry = record.value.type === "session" ? undefined : toEntry(record)
  return entry ? { head: entry, entry } : "none"
}

/** The entry on the line, if it is the one that its head promised. */
function parsedAs(head: EntryLink, line: BackwardLine): SessionEntry | "unsure" {
  const { records, lost } = parseLine(asLine(line))
  if (lost) return sameHead(lost, head) ? damaged(lost) : "unsure"
  const entry = records.length === 1 && records[0] ? toEntry(records[0]) : undefined
  return entry && sameHead(entry, head) ? entry : "unsure"
}

function sameHead(a: EntryLink, b: EntryLink): boolean {
  return a.id === b.id && a.parentId === b.parentId && a.type === b.type
}

/** Nothing stands at a damaged line: it is an entry only where another was appended to it. */
function isDamaged(entry: SessionEntry): boolean {
  return isEntry(entry, "custom") && entry.customType === DAMAGED
}

function damaged(head: EntryHead): SessionEntry {
  return damagedEntry(head, { type: head.type }) as unknown as SessionEntry
}

function namesModel(message: unknown): boolean {
  if (!isJsonObject(message) || message.role !== "assistant") return false
  return typeof message.provider === "string" && typeof message.model === "string"
}

/** The number of a line is not known from the end, and nothing here uses it. */
function asLine({ offset, bytes, terminated }: BackwardLine) {
  return { number: 0, offset, bytes, end: offset + bytes.length + 1, terminated }
}
