import { type EntryPath, partOfPath } from "../../context/entry-path.js"
import { isCheckpoint } from "../../entry/checkpoint.js"
import { DAMAGED, damagedEntry } from "../../entry/damaged-entry.js"
import { type EntryHead, isEntry, type SessionEntry } from "../../entry/entry.js"
import { isJsonObject } from "../../entry/json-object.js"
import type { Checkpoint } from "../../entry/settings.js"
import { type BackwardLine, type BackwardRun, lineOfRun } from "../../log/backward-lines.js"
import { type IdKey, IdKeys, idKey, idOfKey } from "../../log/id-key.js"
import { MessageLink } from "../../log/message-link.js"
import { parseLine } from "../../log/parse-line.js"
import { scanHead } from "../../log/scan-head.js"
import { asEntry } from "../as-entry.js"

// Why this finds the very path that reading everything finds. By id, the last entry in the file counts; read from the end, it
// is the first that is met. A parent that stands behind its child, or an id met twice, would be missed by going on: then, and
// wherever a line is not plainly one entry, it gives up, and everything is read. Messages before the part that is still seen
// are known by their heads alone; a damaged one among them is a link of the path in both ways of reading.

/** An entry of the path: its key alone, for a message of which nothing else was looked at. */
type Step = IdKey | { readonly head: EntryHead; readonly entry: SessionEntry | undefined }

/** The way of a leaf towards the root, found from the end of a session, no further than its context needs. */
export class BackwardPath implements EntryPath {
  readonly #leafId: string | undefined
  /** From the leaf on. */
  readonly #steps: Step[] = []
  readonly #seen = new IdKeys()
  readonly #link = new MessageLink()
  /** The entry that is looked for; undefined until the leaf is known, null at the root. */
  #wanted: IdKey | null | undefined
  /** Up to which entry the context is seen: undefined before a boundary is met, null when the rest is not seen. */
  #seenUntil: string | null | undefined
  #answered = false
  #checkpoint: { readonly settings: Checkpoint; readonly steps: number } | undefined

  /** @param leafId undefined for the last entry */
  constructor(leafId: string | undefined) {
    this.#leafId = leafId
    this.#wanted = leafId === undefined ? undefined : idKey(leafId)
  }

  /** Takes lines towards the beginning, as many as it takes. False when only reading everything can tell. */
  push(run: BackwardRun): boolean {
    for (let index = run.ends.length - 1; index > 0 && !this.isComplete; index--)
      if (!this.#pushLine(run, index)) return false
    return true
  }

  #pushLine(run: BackwardRun, index: number): boolean {
    const link = this.#link
    const isLink =
      run.terminated && link.read(run.bytes, (run.ends[index - 1] as number) + 1, run.ends[index] as number)
    if (!isLink || this.#wanted === undefined) return this.#look(lineOfRun(run, index))
    if (this.#wanted !== link.id) this.#seen.add(link.id)
    else if (this.#seenUntil === null && this.#answered) this.#step(link.id, link.parentId)
    else return this.#look(lineOfRun(run, index))
    return !this.#isMissed
  }

  #look(line: BackwardLine): boolean {
    const found = this.#headOf(line)
    if (found === "none") return true
    if (found === "unsure") return false
    const { head } = found
    const id = idKey(head.id)
    const isWanted = this.#wanted === undefined || id === this.#wanted
    // Everything depends on the last line's being whole, and pi's leaf entries speak of any entry.
    if (this.#seen.isEmpty && this.#leafId === undefined && (!line.terminated || head.type === "leaf")) return false
    if (!isWanted) {
      this.#seen.add(id)
      return true
    }
    const entry = found.entry ?? (this.#needsBody(head) ? parsedAs(head, line) : undefined)
    if (entry === "unsure" || (this.#steps.length === 0 && isDamaged(entry))) return false
    this.#take(head, entry)
    return !this.#isMissed
  }

  /** The entry that is wanted was passed already, as one that was not. */
  get #isMissed(): boolean {
    return this.#wanted !== null && this.#wanted !== undefined && this.#seen.has(this.#wanted)
  }

  /** Whether what was read is all that the context needs. */
  get isComplete(): boolean {
    if (this.#wanted === null) return true
    return this.#seenUntil === null && this.#checkpoint !== undefined
  }

  /** The checkpoint that stands for what was not read, and the part of the path that follows it. */
  get sinceCheckpoint(): { readonly settings: Checkpoint; readonly path: EntryPath } | undefined {
    if (this.#wanted === null || !this.#checkpoint) return undefined
    const { settings, steps } = this.#checkpoint
    return { settings, path: partOfPath(this, this.length - steps, this.length) }
  }

  get length(): number {
    return this.#steps.length
  }

  type(index: number): string {
    const step = this.#stepAt(index)
    if (typeof step !== "object") return "message"
    return step.entry ? step.entry.type : step.head.type
  }

  id(index: number): string {
    const step = this.#stepAt(index)
    return typeof step === "object" ? step.head.id : idOfKey(step)
  }

  entry(index: number): SessionEntry {
    const step = this.#stepAt(index)
    const entry = typeof step === "object" ? step.entry : undefined
    if (!entry)
      throw new RangeError(`The body of entry ${this.id(index)} was not read: nothing should have asked for it.`)
    return entry
  }

  #stepAt(index: number): Step {
    const step = this.#steps[this.#steps.length - 1 - index]
    if (step === undefined) throw new RangeError(`A path of ${this.#steps.length} entries has none at ${index}.`)
    return step
  }

  #headOf(line: BackwardLine): { head: EntryHead; entry?: SessionEntry } | "none" | "unsure" {
    const head = scanHead(line.bytes)
    if (head) return head.type === "session" ? "none" : { head }
    const { records, faults, lost } = parseLine(asLine(line))
    if (lost) return { head: lost, entry: damaged(lost) }
    const [record] = records
    if (!record) return line.terminated || faults.length === 0 ? "none" : "unsure"
    if (records.length > 1 || faults.length > 0) return "unsure"
    const entry = record.value.type === "session" ? undefined : asEntry(record)
    return entry ? { head: entry, entry } : "none"
  }

  /** Bodies of messages are needed only where the context is seen, and until one of them names the model. */
  #needsBody({ type }: EntryHead): boolean {
    return type !== "message" || this.#seenUntil !== null || !this.#answered
  }

  #step(id: IdKey, parentId: IdKey): void {
    this.#seen.add(id)
    this.#steps.push(id)
    this.#wanted = parentId
  }

  #take(head: EntryHead, entry: SessionEntry | undefined): void {
    this.#seen.add(idKey(head.id))
    this.#steps.push({ head, entry })
    this.#wanted = head.parentId === null ? null : idKey(head.parentId)
    if (entry && isEntry(entry, "message")) this.#answered ||= namesModel(entry.message)
    if (entry?.type === "reset_boundary") this.#seenUntil ??= null
    if (entry && isEntry(entry, "compaction")) {
      if (this.#seenUntil === undefined) this.#seenUntil = entry.firstKeptEntryId ?? head.id
      if (isCheckpoint(entry.settings)) this.#checkpoint ??= { settings: entry.settings, steps: this.#steps.length - 1 }
    }
    if (this.#seenUntil === head.id) this.#seenUntil = null
  }
}

/** The entry on the line, if it is the one that its head promised. */
function parsedAs(head: EntryHead, line: BackwardLine): SessionEntry | "unsure" {
  const { records, lost } = parseLine(asLine(line))
  if (lost) return sameHead(lost, head) ? damaged(lost) : "unsure"
  const entry = records.length === 1 && records[0] ? asEntry(records[0]) : undefined
  return entry && sameHead(entry, head) ? entry : "unsure"
}

function sameHead(a: EntryHead, b: EntryHead): boolean {
  return a.id === b.id && a.parentId === b.parentId && a.type === b.type
}

/** Nothing stands at a damaged line: it is an entry only where another was appended to it. */
function isDamaged(entry: SessionEntry | undefined): boolean {
  return entry !== undefined && isEntry(entry, "custom") && entry.customType === DAMAGED
}

function damaged(head: EntryHead): SessionEntry {
  return damagedEntry(head, { type: head.type }) as unknown as SessionEntry
}

function namesModel(message: unknown): boolean {
  if (!isJsonObject(message) || message.role !== "assistant") return false
  return typeof message.provider === "string" && typeof message.model === "string"
}

/** The number of a line is not known from the end, and nothing here tells it. */
function asLine({ offset, bytes, terminated }: BackwardLine) {
  return { number: 0, offset, bytes, end: offset + bytes.length + 1, terminated }
}
