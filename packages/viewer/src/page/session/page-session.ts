// A session in the page: each entry is parsed once when its bytes arrive and kept as a summary; its body is parsed again when it is
// shown. So a long session takes little more memory than its bytes, and the first entries are visible while the last ones are still
// being read.

import {
  CURRENT_VERSION,
  type Diagnostic,
  isEntry,
  messageText,
  type SessionEntry,
  type SessionHeader,
} from "@treelog/session-core"
import {
  concurrentBranches,
  EntryTree,
  isLeafMarker,
  Labels,
  type Line,
  LogReader,
  type LogRecord,
  migrate,
  parseLine,
  sourceOf,
  titleLine,
  toEntry,
} from "@treelog/session-core/adapter"
import { addUsages, type ModelUsage } from "@treelog/session-core/search"
import { BodyCache } from "./body-cache.js"
import { ByteStore } from "./byte-store.js"
import { type EntrySummary, summarize } from "./entry-summary.js"
import { WholeLines } from "./whole-lines.js"

type Place = LogRecord["place"]

/** Who says messages. */
const MESSAGES = ["user", "assistant", "tool"] as const

const CACHED_BYTES = 16_000_000

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

export class PageSession {
  readonly bytes = new ByteStore()
  readonly tree = new EntryTree()
  readonly labels = new Labels()
  /** What all branches used. */
  readonly usages: ModelUsage[] = []
  readonly #lines = new WholeLines()
  readonly #log: LogReader
  readonly #summaries: EntrySummary[] = []
  readonly #places: (Place | undefined)[] = []
  /** Entries that differ from their bytes. */
  readonly #kept = new Map<number, SessionEntry>()
  /** Records of an old version, which are migrated once all have arrived. */
  #old: LogRecord[] = []
  readonly #torn = new Map<string, LogRecord>()
  /** Placeholders for unreadable entries. */
  readonly #damaged = new Set<number>()
  /** Entries that only record the leaf, which are not shown. */
  readonly #leafMarkers = new Set<number>()
  readonly #cache = new BodyCache(CACHED_BYTES)
  readonly #faults: Diagnostic[] = []
  #diagnostics: readonly Diagnostic[] = []
  #titleSlot: string | undefined
  #named: string | undefined
  #question = ""
  #concurrent: { readonly count: number; readonly found: readonly Diagnostic[] } | undefined
  #newest: { readonly count: number; readonly below: Int32Array } | undefined

  /** @param key the name for errors */
  constructor(key: string) {
    this.#log = new LogReader(key)
  }

  /** @throws InvalidSessionError when the first record is not a header */
  push(chunk: Uint8Array<ArrayBuffer>): void {
    this.bytes.append(chunk)
    for (const line of this.#lines.push(chunk)) this.#take(line)
  }

  /**
   * Processes everything that has arrived, including a complete last line without a line end.
   * @param isEnd whether nothing can follow, so that an incomplete line is damage
   * @throws InvalidSessionError when there are bytes, but no header
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

  /** Undefined until its line has arrived. */
  get header(): SessionHeader | undefined {
    return this.#log.header
  }

  /** The name of the session, if it has one. */
  get name(): string | undefined {
    return this.#named ?? (this.#titleSlot || this.header?.title)
  }

  /** The title for display: the name, or else the first question. */
  get title(): string {
    return titleLine(this.name ?? "") || this.#question
  }

  /** The number of entries. They are numbered from 0, in file order. */
  get count(): number {
    return this.#summaries.length
  }

  get shownCount(): number {
    return this.count - this.#leafMarkers.size
  }

  /** Whether the session has an old version, which can be migrated only when all of it has arrived. */
  get needsAll(): boolean {
    const version = this.header?.version ?? 1
    return this.header !== undefined && typeof version === "number" && version < CURRENT_VERSION
  }

  /** Faults and notes of the session. */
  get diagnostics(): readonly Diagnostic[] {
    const faults = this.tree.faults().map(({ kind, entryId, message }): Diagnostic => ({ kind, entryId, message }))
    return [...this.#diagnostics, ...this.#faults, ...faults, ...this.#concurrentBranches()]
  }

  /** Answers that the agent of the session shows no more. */
  #concurrentBranches(): readonly Diagnostic[] {
    if (sourceOf(this.header ?? {}).agent === undefined) return []
    if (this.#concurrent?.count !== this.count) {
      const leaf = this.leaf()
      const roles = this.#summaries.map(({ speaker }) => MESSAGES.find((one) => one === speaker))
      const found = leaf === undefined ? [] : concurrentBranches(this.tree, this.summary(leaf).id, roles)
      this.#concurrent = { count: this.count, found }
    }
    return this.#concurrent.found
  }

  /** @throws RangeError when there is no such entry */
  summary(ordinal: number): EntrySummary {
    const summary = this.#summaries[ordinal]
    if (!summary) throw new RangeError(`There is no entry ${ordinal} among ${this.count}.`)
    return summary
  }

  /** The entry as stored, or as migrated if the session has an old version. */
  entry(ordinal: number): SessionEntry {
    const known = this.#kept.get(ordinal) ?? this.#cache.get(ordinal)
    if (known) return known
    const place = this.#places[ordinal]
    if (!place) throw new RangeError(`There is no entry ${ordinal} among ${this.count}.`)
    const value = JSON.parse(decoder.decode(this.bytes.read(place.offset, place.length)))
    const entry = toEntry({ value })
    if (!entry) throw new TypeError(`The bytes of entry ${ordinal} have changed.`)
    this.#cache.set(ordinal, entry, place.length)
    return entry
  }

  /** The line of an entry, which is searched before it is parsed. Undefined if the entry differs from its bytes. */
  line(ordinal: number): string | undefined {
    const place = this.#kept.has(ordinal) ? undefined : this.#places[ordinal]
    return place && decoder.decode(this.bytes.read(place.offset, place.length))
  }

  isLeafMarker(ordinal: number): boolean {
    return this.#leafMarkers.has(ordinal)
  }

  /** The parent in the displayed tree: children of a leaf marker belong to the marker's parent. Undefined for a root. */
  parentOf(ordinal: number): number | undefined {
    let parent = this.tree.parentOf(ordinal)
    while (parent !== undefined && this.#leafMarkers.has(parent)) parent = this.tree.parentOf(parent)
    return parent
  }

  childrenOf(ordinal: number): readonly number[] {
    return this.#withoutLeafMarkers(this.tree.childrenOf(ordinal))
  }

  roots(): readonly number[] {
    return this.#withoutLeafMarkers(this.tree.roots())
  }

  /** Whether there is an entry with siblings. */
  get hasBranches(): boolean {
    if (this.roots().length > 1) return true
    for (let ordinal = 0; ordinal < this.count; ordinal++) if (this.childrenOf(ordinal).length > 1) return true
    return false
  }

  /** Replaces each leaf marker by its children. */
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

  /** The leaf of the session (FORMAT.md, section 5), without leaf markers; undefined before the first entry. */
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

  /** The newest descendant of an entry; the entry itself if it has none. */
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

  /** A torn entry becomes a placeholder if it has descendants, and is ignored otherwise. */
  #understand(record: LogRecord, isVerbatim: boolean): void {
    if (record.lost === "torn") this.#torn.set(String(record.value.id), record)
    else this.#add(record, isVerbatim)
  }

  #add(record: LogRecord, isVerbatim: boolean): void {
    const { place } = record
    const entry = toEntry(record)
    if (!entry) {
      const message = `Line ${place.line} is an object, but not an entry: it has no type or no id.`
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
    if (summary.speaker === "user" && isEntry(entry, "message"))
      this.#question ||= titleLine(messageText(entry.message)) || summary.text
    if (summary.spent) addUsages(this.usages, summary.spent.usages)
    if (isEntry(entry, "session_info")) this.#named = typeof entry.name === "string" ? entry.name : ""
    else if (isEntry(entry, "title_change") && typeof entry.title === "string") this.#named = entry.title
  }
}

/** For each entry its newest descendant, or itself, without leaf markers. Linear time: each entry is visited once. */
function newestDescendants(tree: EntryTree, count: number, leafMarkers: ReadonlySet<number>): Int32Array {
  const newest = new Int32Array(count).fill(-1)
  for (let ordinal = count - 1; ordinal >= 0; ordinal--) {
    if (leafMarkers.has(ordinal)) continue
    for (let at: number | undefined = ordinal; at !== undefined && newest[at] === -1; at = tree.parentOf(at))
      newest[at] = ordinal
  }
  for (const ordinal of leafMarkers) if (newest[ordinal] === -1) newest[ordinal] = ordinal
  return newest
}
