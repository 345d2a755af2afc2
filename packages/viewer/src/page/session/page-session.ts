// A session as the page has it: each entry is parsed once when its bytes come, a summary of it stays, and the body goes, to be
// parsed again when it is shown. So a long session takes little more memory than its bytes, and the first entries are on the
// screen while the last ones are still being read.

import { CURRENT_VERSION, type Diagnostic, isEntry, type SessionEntry, type SessionHeader } from "@treelog/session-core"
import {
  EntryTree,
  isLeafMarker,
  Labels,
  type Line,
  LogReader,
  type LogRecord,
  migrate,
  type Place,
  parseLine,
  toEntry,
} from "@treelog/session-core/adapter"
import { BodyCache } from "./body-cache.js"
import { ByteStore } from "./byte-store.js"
import { type EntrySummary, summarize } from "./entry-summary.js"
import { newestDescendants } from "./newest-descendants.js"
import { addSpent, nothingSpent, type SpentTotals } from "./spent-totals.js"
import { WholeLines } from "./whole-lines.js"

const CACHED_BYTES = 16_000_000

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

export class PageSession {
  readonly bytes = new ByteStore()
  readonly tree = new EntryTree()
  readonly labels = new Labels()
  readonly totals: SpentTotals = nothingSpent()
  readonly #lines = new WholeLines()
  readonly #log: LogReader
  readonly #summaries: EntrySummary[] = []
  readonly #places: (Place | undefined)[] = []
  /** Entries that are not what stands in the bytes. */
  readonly #kept = new Map<number, SessionEntry>()
  /** Records of an old version, which are understood once all are there. */
  #old: LogRecord[] = []
  readonly #torn = new Map<string, LogRecord>()
  /** Entries that only stand for what cannot be read. */
  readonly #damaged = new Set<number>()
  /** Entries that only say where the session stands: they are no branches, and nobody did anything. */
  readonly #leafMarkers = new Set<number>()
  readonly #cache = new BodyCache(CACHED_BYTES)
  readonly #faults: Diagnostic[] = []
  #diagnostics: readonly Diagnostic[] = []
  #titleSlot: string | undefined
  #named: string | undefined
  #question: string | undefined
  #newest: { readonly count: number; readonly below: Int32Array } | undefined

  /** @param key what to call it where it turns out to be no session */
  constructor(key: string) {
    this.#log = new LogReader(key)
  }

  /** @throws InvalidSessionError when the first record is no header */
  push(chunk: Uint8Array<ArrayBuffer>): void {
    this.bytes.append(chunk)
    for (const line of this.#lines.push(chunk)) this.#take(line)
  }

  /**
   * Understands what came so far: a last line without its end too, if it is whole.
   * @param isEnd whether nothing can follow, so that a torn line is one
   * @throws InvalidSessionError when there were bytes, but no header
   */
  settle(isEnd: boolean): void {
    const begun = this.#lines.begun()
    if (begun && (isEnd || parseLine(begun).faults.length === 0)) {
      this.#take(begun)
      this.#lines.take(begun)
    }
    const outline = this.#log.finish()
    this.#titleSlot = outline?.titleSlot?.title
    if (outline && this.#old.length > 0) {
      const { records, report } = migrate({ ...outline, records: this.#old })
      for (const record of records) this.#understand(record, false)
      this.#faults.push(...(report?.diagnostics ?? []))
      this.#old = []
    }
    this.#diagnostics = outline?.diagnostics ?? []
  }

  /** Undefined until its line came. */
  get header(): SessionHeader | undefined {
    return this.#log.header
  }

  /** The name that people gave the session, if any. */
  get name(): string | undefined {
    return this.#named ?? (this.#titleSlot || this.header?.title)
  }

  /** What to call it for people: its name, or else the first question. */
  get title(): string | undefined {
    return this.name || this.#question
  }

  /** How many entries there are. They are counted from 0, in the order of the file. */
  get count(): number {
    return this.#summaries.length
  }

  /** How many entries people see. */
  get shownCount(): number {
    return this.count - this.#leafMarkers.size
  }

  /** The version is an old one, and nothing is understood before all of it is there. */
  get needsAll(): boolean {
    const version = this.header?.version ?? 1
    return this.header !== undefined && typeof version === "number" && version < CURRENT_VERSION
  }

  /** What cannot be read, or is worth knowing. */
  get diagnostics(): readonly Diagnostic[] {
    const faults = this.tree.faults().map(({ kind, entryId, message }): Diagnostic => ({ kind, entryId, message }))
    return [...this.#diagnostics, ...this.#faults, ...faults]
  }

  /** @throws RangeError when there are not so many entries */
  summary(ordinal: number): EntrySummary {
    const summary = this.#summaries[ordinal]
    if (!summary) throw new RangeError(`There is no entry ${ordinal} among ${this.count}.`)
    return summary
  }

  /** The entry as it was stored; as it was migrated where the session is of an old version. */
  entry(ordinal: number): SessionEntry {
    const known = this.#kept.get(ordinal) ?? this.#cache.get(ordinal)
    if (known) return known
    const place = this.#places[ordinal]
    if (!place) throw new RangeError(`There is no entry ${ordinal} among ${this.count}.`)
    const value = JSON.parse(decoder.decode(this.bytes.read(place.offset, place.length)))
    const entry = toEntry({ value })
    if (!entry) throw new TypeError(`The bytes of entry ${ordinal} are not what they were.`)
    this.#cache.set(ordinal, entry, place.length)
    return entry
  }

  /** How the bytes of an entry read: what is searched before anything is parsed. Undefined where they are not the entry. */
  line(ordinal: number): string | undefined {
    const place = this.#kept.has(ordinal) ? undefined : this.#places[ordinal]
    return place && decoder.decode(this.bytes.read(place.offset, place.length))
  }

  isLeafMarker(ordinal: number): boolean {
    return this.#leafMarkers.has(ordinal)
  }

  /** The parent as people see the tree: what hangs below a leaf mark hangs below the mark's parent. Undefined for a root. */
  parentOf(ordinal: number): number | undefined {
    let parent = this.tree.parentOf(ordinal)
    while (parent !== undefined && this.#leafMarkers.has(parent)) parent = this.tree.parentOf(parent)
    return parent
  }

  /** The children as people see the tree. */
  childrenOf(ordinal: number): readonly number[] {
    return this.#withoutLeafMarkers(this.tree.childrenOf(ordinal))
  }

  /** The roots as people see the tree. */
  roots(): readonly number[] {
    return this.#withoutLeafMarkers(this.tree.roots())
  }

  /** In the place of each leaf mark there is what hangs below it. */
  #withoutLeafMarkers(ordinals: readonly number[]): readonly number[] {
    if (!ordinals.some((ordinal) => this.#leafMarkers.has(ordinal))) return ordinals
    const shown: number[] = []
    const open = ordinals.toReversed()
    for (let ordinal = open.pop(); ordinal !== undefined; ordinal = open.pop()) {
      if (!this.#leafMarkers.has(ordinal)) shown.push(ordinal)
      else for (const child of this.tree.childrenOf(ordinal).toReversed()) open.push(child)
    }
    return shown
  }

  /** Where the session stands (FORMAT.md, section 5), without leaf marks; undefined before the first entry. */
  leaf(): number | undefined {
    const leaf = this.#storedLeaf()
    return leaf !== undefined && this.#leafMarkers.has(leaf) ? this.parentOf(leaf) : leaf
  }

  #storedLeaf(): number | undefined {
    for (let ordinal = this.count - 1; ordinal >= 0; ordinal--) {
      if (this.#damaged.has(ordinal)) continue
      if (this.summary(ordinal).type !== "leaf") return ordinal
      const entry = this.entry(ordinal)
      if (!isEntry(entry, "leaf")) return ordinal
      if (entry.targetId === null) return undefined
      const target = this.tree.ordinalOf(entry.targetId)
      if (target !== undefined) return target
    }
    return undefined
  }

  /** The entry below this one that was appended last; the entry itself where nothing is below. */
  newestBelow(ordinal: number): number {
    if (this.#newest?.count !== this.count)
      this.#newest = { count: this.count, below: newestDescendants(this.tree, this.count, this.#leafMarkers) }
    return this.#newest.below[ordinal] ?? ordinal
  }

  #take(line: Line): void {
    for (const record of this.#log.push(line)) {
      if (this.needsAll) this.#old.push(record)
      else this.#understand(record, record.lost === undefined)
    }
  }

  /** An entry that was torn is a link where something was appended to it, and nothing otherwise. */
  #understand(record: LogRecord, isVerbatim: boolean): void {
    if (record.lost === "torn") this.#torn.set(String(record.value.id), record)
    else this.#add(record, isVerbatim)
  }

  #add(record: LogRecord, isVerbatim: boolean): void {
    const { place } = record
    const entry = toEntry(record)
    if (!entry) {
      const message = `Line ${place.line} is an object, but no entry: it has no type or no id.`
      this.#faults.push({ kind: "not-an-entry", line: place.line, offset: place.offset, message })
      return
    }
    const parent = entry.parentId === null ? undefined : this.#torn.get(entry.parentId)
    if (parent) {
      this.#torn.delete(String(parent.value.id))
      this.#add(parent, false)
    }
    const ordinal = this.#summaries.length
    const summary = summarize(entry, place.length)
    this.#summaries.push(summary)
    this.#places.push(place)
    if (!isVerbatim) this.#kept.set(ordinal, entry)
    if (record.lost) this.#damaged.add(ordinal)
    if (isLeafMarker(entry)) this.#leafMarkers.add(ordinal)
    this.tree.add(summary)
    this.labels.add(entry)
    if (summary.speaker === "user") this.#question ??= summary.text || undefined
    if (summary.spent) addSpent(this.totals, summary.spent)
    if (isEntry(entry, "session_info")) this.#named = typeof entry.name === "string" ? entry.name : ""
    else if (isEntry(entry, "title_change") && typeof entry.title === "string") this.#named = entry.title
  }
}
