import type { EntryPath } from "../context/entry-path.js"
import type { Diagnostic } from "../entry/diagnostic.js"
import { type EntryHead, givenName, isEntry, type SessionEntry } from "../entry/entry.js"
import { valueText } from "../entry/values.js"
import type { Place } from "../log/line.js"
import type { IndexedEntry } from "../log/log-index.js"
import { EntryTree } from "../tree/entry-tree.js"
import { Labels } from "../tree/labels.js"
import type { StoredBodies } from "./reader/stored-bodies.js"

/** Where an entry's line stands, and whether the bytes there are the entry as it is (an old version's are not). */
export interface EntryLine {
  readonly place: Place
  readonly verbatim: boolean
}

/** One entry: its head, its body once it was read, its line once it has one. */
interface Slot {
  readonly head: EntryHead
  entry: SessionEntry | undefined
  place: Place | undefined
  /** Whether the bytes there are the entry as it is. */
  isVerbatim: boolean
  /** The line cannot be read behind its head: the entry only stands for it. */
  isDamaged: boolean
  /** Whether what is wrong with its line was reported. */
  isChecked: boolean
  /** Whether it was appended here. */
  readonly isOwn: boolean
}

const IN_MEMORY = { place: undefined, verbatim: true }

function setPlace(slot: Slot, place: Place): void {
  slot.place = place
  slot.isVerbatim = true
}

/** An appended entry whose line is not stored yet. */
export interface WaitingLine {
  readonly entry: SessionEntry
  /** Without its LF: the entry as it was appended. */
  text: string
  /** Whether the text is sanitized, and what was moved out of it is stored. */
  isReady: boolean
}

/** Entries whose bodies affect the whole session: they are read at once. */
export const EAGERLY_READ: ReadonlySet<string> = new Set(["label", "session_info", "title_change"])

/**
 * The entries of a session: their order, tree, labels, name and leaf. The heads are in memory; a body that is stored is read
 * when it is needed, and stays.
 */
export class SessionState {
  #bodies: StoredBodies | undefined
  readonly #slots: Slot[] = []
  /** What is to be written: the lines of the last slots, in their order. */
  #waiting: WaitingLine[] = []
  #diagnostics: Diagnostic[] = []
  leafId: string | null = null
  #tree = new EntryTree()
  #labels = new Labels()
  /** Undefined: no entry ever named the session. Empty: the name was cleared. */
  #name: string | undefined
  /** Whether an entry was put between others, so that what is calculated over all of them must be calculated again. */
  #isStale = false

  /** @param bodies gives the entries of which only heads are added */
  constructor(bodies?: StoredBodies) {
    this.#bodies = bodies
  }

  /**
   * Adds an entry that is stored, or that is in memory only: in front of those that wait, since it precedes them in the file.
   * @param isDamaged the entry only stands for a line that cannot be read
   * @param isOwn it was appended here
   */
  add(entry: SessionEntry, line?: EntryLine, isDamaged = false, isOwn = false): void {
    const { place, verbatim: isVerbatim } = line ?? IN_MEMORY
    this.#add({ head: entry, entry, place, isVerbatim, isDamaged, isChecked: true, isOwn }, this.#firstWaiting)
  }

  /** Adds a stored entry by its head. */
  addStored({ head, place, isParsed = false }: IndexedEntry): void {
    const slot = {
      head,
      entry: undefined,
      place,
      isVerbatim: true,
      isDamaged: false,
      isChecked: isParsed,
      isOwn: false,
    }
    this.#add(slot, this.#firstWaiting)
  }

  /** Adds an entry at the end, to be written. */
  append(line: WaitingLine): void {
    const { entry } = line
    const slot = {
      head: entry,
      entry,
      place: undefined,
      isVerbatim: true,
      isDamaged: false,
      isChecked: true,
      isOwn: true,
    }
    this.#slots.push(slot)
    if (!this.#isStale) this.#sumUp(slot)
    this.#waiting.push(line)
  }

  #add(slot: Slot, at: number): void {
    this.#isStale ||= at < this.size
    if (at < this.size) this.#slots.splice(at, 0, slot)
    else this.#slots.push(slot)
    if (!this.#isStale) this.#sumUp(slot)
  }

  get #firstWaiting(): number {
    return this.size - this.#waiting.length
  }

  /** What waits to be written, in order. */
  get waiting(): readonly WaitingLine[] {
    return this.#waiting
  }

  /** Notes where the lines of entries stand now: of those from an ordinal on, or of the first that wait. They wait no longer. */
  stored(places: readonly Place[], from = this.#firstWaiting): void {
    const left = this.#waiting.slice(from + places.length - this.#firstWaiting)
    let at = from
    for (const place of places) setPlace(this.#slots[at++] as Slot, place)
    this.#waiting = left
  }

  /** Whether an entry with this id waits. Then this is its line: it waits no longer, and precedes those that do. */
  recognize(id: unknown, place: Place): boolean {
    const index = this.#waiting.findIndex(({ entry }) => entry.id === id)
    if (index === -1) return false
    const first = this.#firstWaiting
    this.#isStale ||= index > 0
    this.#slots.splice(first, 0, ...this.#slots.splice(first + index, 1))
    this.#waiting.splice(index, 1)
    setPlace(this.#slots[first] as Slot, place)
    return true
  }

  /** All entries, with whether they were appended here. */
  owned(): { readonly entry: SessionEntry; readonly isOwn: boolean }[] {
    return this.#slots.map((slot) => ({ entry: this.#entryOf(slot), isOwn: slot.isOwn }))
  }

  /** Removes all entries. */
  clear(): void {
    this.#slots.length = 0
    this.#waiting = []
    this.#isStale = true
  }

  #sumUp(slot: Slot): void {
    this.#tree.add(slot.head)
    if (!EAGERLY_READ.has(slot.head.type)) return
    const entry = this.#entryOf(slot)
    this.#labels.add(entry)
    this.#name = givenName(entry) ?? this.#name
  }

  #summed(): this {
    if (!this.#isStale) return this
    this.#isStale = false
    this.#tree = new EntryTree()
    this.#labels = new Labels()
    this.#name = undefined
    for (const slot of this.#slots) this.#sumUp(slot)
    return this
  }

  /** Once all that is stored was added: finds the leaf. Damaged lines at the end that no entry names as its parent are not entries. */
  settle(): void {
    this.#dropDamagedEnd()
    this.leafId = null
    for (const slot of this.#slots) if (slot.head.type === "leaf") this.#reportUnknownTarget(this.#entryOf(slot))
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const slot = this.#slots[at] as Slot
      const entry = this.#entryOf(slot)
      if (slot.isDamaged || this.#hasUnknownTarget(entry)) continue
      this.follow(entry)
      return
    }
  }

  #dropDamagedEnd(): void {
    let named: Set<string | null> | undefined
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const slot = this.#slots[at] as Slot
      this.#entryOf(slot)
      if (!slot.isDamaged) return
      named ??= new Set(this.#slots.map(({ head }) => head.parentId))
      if (named.has(slot.head.id)) continue
      this.#slots.splice(at, 1)
      this.#isStale = true
    }
  }

  /**
   * Moves the leaf to where it is after this entry (FORMAT.md, section 5): to the entry, or, for pi agent-core's `leaf`, to its target. An
   * unknown target moves nothing.
   */
  follow(entry: SessionEntry): void {
    if (!isEntry(entry, "leaf")) this.leafId = entry.id
    else if (this.#hasUnknownTarget(entry)) this.#reportUnknownTarget(entry)
    else this.leafId = entry.targetId
  }

  #reportUnknownTarget(entry: SessionEntry): void {
    if (!this.#hasUnknownTarget(entry) || !isEntry(entry, "leaf")) return
    const message = `Leaf entry ${entry.id} points at ${valueText(entry.targetId)}, which is not in the file; it moves nothing.`
    this.report(this.faultAt(this.tree.ordinalOf(entry.id) ?? -1, "unknown-leaf-target", message))
  }

  #hasUnknownTarget(entry: SessionEntry): boolean {
    return isEntry(entry, "leaf") && entry.targetId !== null && !this.tree.has(entry.targetId)
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  /** What was reported of a line is no longer so. */
  retract(line: number): void {
    this.#diagnostics = this.#diagnostics.filter((diagnostic) => diagnostic.line !== line)
  }

  get size(): number {
    return this.#slots.length
  }

  get tree(): EntryTree {
    return this.#summed().#tree
  }

  get labels(): Labels {
    return this.#summed().#labels
  }

  /** The name that entries gave: undefined when none ever did, empty when it was cleared. */
  get name(): string | undefined {
    return this.#summed().#name
  }

  /** What is wrong, in the order of the lines. Reads every body that was not read yet, since each may be damaged. */
  get diagnostics(): Diagnostic[] {
    this.#checkBodies()
    const faults = this.tree.faults().map(({ kind, ordinal, message }) => this.faultAt(ordinal, kind, message))
    return [...this.#diagnostics, ...faults]
  }

  /** A fault of an entry, with its id and where its line stands. */
  faultAt(ordinal: number, kind: Diagnostic["kind"], message: string): Diagnostic {
    const entryId = this.headAt(ordinal)?.id
    const place = this.line(ordinal)?.place
    return { kind, ...(entryId && { entryId }), ...(place && { line: place.line, offset: place.offset }), message }
  }

  /** All entries in the order of the file. */
  entries(): SessionEntry[] {
    return this.#slots.map((slot) => this.#entryOf(slot))
  }

  /** `entries` one by one: a body that is not needed is released again, so that the whole session is never in memory. */
  *iterateEntries(): Generator<[ordinal: number, entry: SessionEntry]> {
    // Of the entries there are now: one that comes meanwhile may go in front of those that have no line yet.
    for (const [ordinal, slot] of [...this.#slots].entries()) yield [ordinal, slot.entry ?? this.#read(slot)]
  }

  /** The entry at a place, read and released again where it was not read yet. */
  readEntryAt(ordinal: number): SessionEntry | undefined {
    const slot = this.#slots[ordinal]
    return slot && (slot.entry ?? this.#read(slot))
  }

  /** Where the entries of a type stand in that order. */
  ordinalsOf(type: string): number[] {
    return this.#slots.flatMap(({ head }, ordinal) => (head.type === type ? [ordinal] : []))
  }

  /** The entry at a place in that order, counted from 0. */
  entryAt(ordinal: number): SessionEntry | undefined {
    const slot = this.#slots[ordinal]
    return slot && this.#entryOf(slot)
  }

  headAt(ordinal: number): EntryHead | undefined {
    const slot = this.#slots[ordinal]
    return slot && (slot.entry ?? slot.head)
  }

  line(ordinal: number): EntryLine | undefined {
    const { place, isVerbatim: verbatim = true } = this.#slots[ordinal] ?? {}
    return place && { place, verbatim }
  }

  entry(id: string): SessionEntry | undefined {
    const ordinal = this.tree.ordinalOf(id)
    return ordinal === undefined ? undefined : this.entryAt(ordinal)
  }

  /** Ordinals from the root to the entry. Empty for null and for an unknown id. */
  pathTo(id: string | null): number[] {
    const ordinal = id === null ? undefined : this.tree.ordinalOf(id)
    return ordinal === undefined ? [] : this.tree.pathTo(ordinal)
  }

  /** The path to an entry; a body is read only where it is needed. */
  entryPath(id: string | null): EntryPath {
    return this.pathOf(this.pathTo(id))
  }

  /** `entryPath` where bodies that were not read yet are read and released again: memory need not hold them all. */
  iteratePath(id: string | null): EntryPath {
    return this.pathOf(this.pathTo(id), (slot) => slot.entry ?? this.#read(slot))
  }

  /** The entries at these places. The path stays the same when entries come that are put in front of some of them. */
  pathOf(ordinals: readonly number[], read = (slot: Slot) => this.#entryOf(slot)): EntryPath {
    const slots = ordinals.map((ordinal) => this.#slots[ordinal])
    const slot = (index: number): Slot => {
      const found = slots[index]
      if (!found) throw new RangeError(`A path of ${slots.length} has none at ${index}.`)
      return found
    }
    return {
      length: slots.length,
      type: (index) => (slot(index).entry ?? slot(index).head).type,
      id: (index) => slot(index).head.id,
      entry: (index) => read(slot(index)),
    }
  }

  /** Releases what reading needs. */
  close(): void {
    this.#bodies?.close()
  }

  #entryOf(slot: Slot): SessionEntry {
    slot.entry ??= this.#read(slot)
    return slot.entry
  }

  #read(slot: Slot): SessionEntry {
    if (!this.#bodies || !slot.place) throw new RangeError(`Entry ${slot.head.id} has neither a body nor a line.`)
    const { entry, isDamaged, faults } = this.#bodies.read(slot.head, slot.place)
    slot.isDamaged = isDamaged
    if (!slot.isChecked) this.#diagnostics.push(...faults)
    slot.isChecked = true
    return entry
  }

  /** A body that is not needed is checked and released again. */
  #checkBodies(): void {
    const unchecked = this.#slots.filter(({ isChecked }) => !isChecked)
    for (const slot of unchecked) {
      const entry = this.#read(slot)
      if (slot.isDamaged) slot.entry = entry
    }
    this.#diagnostics.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  }
}
