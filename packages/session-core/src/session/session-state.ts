import { type EntryPath, pathOfEntries } from "../context/entry-path.js"
import type { Diagnostic } from "../entry/diagnostic.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import { valueText } from "../entry/value-text.js"
import type { Place } from "../log/line.js"
import { EntryTree } from "../tree/entry-tree.js"
import { Labels } from "../tree/labels.js"
import { leafAfter } from "../tree/leaf.js"

/** Where an entry's line stands, and whether the bytes there are the entry as it is (an old version's are not). */
export interface EntryLine {
  readonly place: Place
  readonly verbatim: boolean
}

/** The entries of a session in memory: their order, tree, labels, name and leaf. It knows nothing of storages. */
export class SessionState {
  readonly #entries: SessionEntry[] = []
  readonly #lines: (EntryLine | undefined)[] = []
  /** Where the entries stand that have no line yet. */
  readonly #unplaced = new Map<SessionEntry, number>()
  readonly #diagnostics: Diagnostic[] = []
  #tree = new EntryTree()
  #labels = new Labels()
  /** Undefined: no entry ever named the session. Empty: the name was cleared. */
  #name: string | undefined
  #leafId: string | null = null
  /** Whether an entry was put between others, so that what is summed up over all of them must be summed up again. */
  #isStale = false

  /**
   * Adds an entry: one that has a line in front of those that have none yet, since in the file it precedes them, any other
   * behind all. So the order is always that of the file, now or once all is written.
   */
  add(entry: SessionEntry, line?: EntryLine): void {
    const at = line ? this.#firstUnplaced() : this.#entries.length
    if (at === this.#entries.length) this.#append(entry, line)
    else this.#insert(at, entry, line)
  }

  #append(entry: SessionEntry, line: EntryLine | undefined): void {
    if (!line) this.#unplaced.set(entry, this.#entries.length)
    this.#entries.push(entry)
    this.#lines.push(line)
    if (!this.#isStale) this.#sumUp(entry)
  }

  #insert(at: number, entry: SessionEntry, line: EntryLine | undefined): void {
    for (const [pending, ordinal] of this.#unplaced) if (ordinal >= at) this.#unplaced.set(pending, ordinal + 1)
    this.#entries.splice(at, 0, entry)
    this.#lines.splice(at, 0, line)
    this.#isStale = true
  }

  #firstUnplaced(): number {
    let at = this.#entries.length
    if (this.#unplaced.size > 0) while (at > 0 && this.#lines[at - 1] === undefined) at -= 1
    return at
  }

  #sumUp(entry: SessionEntry): void {
    this.#tree.add(entry)
    this.#labels.add(entry)
    if (isEntry(entry, "session_info")) this.#name = typeof entry.name === "string" ? entry.name : ""
    else if (isEntry(entry, "title_change") && typeof entry.title === "string") this.#name = entry.title
  }

  #summed(): this {
    if (!this.#isStale) return this
    this.#isStale = false
    this.#tree = new EntryTree()
    this.#labels = new Labels()
    this.#name = undefined
    for (const entry of this.#entries) this.#sumUp(entry)
    return this
  }

  /** Moves the leaf to where the file says that it is after this entry. */
  follow(entry: SessionEntry): void {
    if (isEntry(entry, "leaf") && entry.targetId !== null && !this.tree.has(entry.targetId)) {
      const message = `Leaf entry ${entry.id} points at ${valueText(entry.targetId)}, which is not in the file; it moves nothing.`
      const place = this.#lines[this.tree.ordinalOf(entry.id) ?? -1]?.place
      this.report({
        kind: "unknown-leaf-target",
        entryId: entry.id,
        ...(place && { line: place.line, offset: place.offset }),
        message,
      })
    }
    this.#leafId = leafAfter(entry, this.#leafId, (id) => this.tree.has(id))
  }

  /** Notes where an entry's line stands now; undefined when it stands nowhere. */
  placed(entry: SessionEntry, line: EntryLine | undefined): void {
    const ordinal = this.#unplaced.get(entry) ?? this.tree.ordinalOf(entry.id)
    if (ordinal === undefined) return
    this.#lines[ordinal] = line
    if (line) this.#unplaced.delete(entry)
    else this.#unplaced.set(entry, ordinal)
  }

  /** Whether an entry has a line in what is stored. */
  isPlaced(entry: SessionEntry): boolean {
    return !this.#unplaced.has(entry)
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  get entries(): readonly SessionEntry[] {
    return this.#entries
  }

  get tree(): EntryTree {
    return this.#summed().#tree
  }

  get labels(): Labels {
    return this.#summed().#labels
  }

  get leafId(): string | null {
    return this.#leafId
  }

  set leafId(id: string | null) {
    this.#leafId = id
  }

  /** The name that entries gave: undefined when none ever did, empty when it was cleared. */
  get name(): string | undefined {
    return this.#summed().#name
  }

  get diagnostics(): Diagnostic[] {
    const faults = this.tree.faults().map(({ kind, ordinal, entryId, message }): Diagnostic => {
      const place = this.#lines[ordinal]?.place
      return { kind, entryId, ...(place && { line: place.line, offset: place.offset }), message }
    })
    return [...this.#diagnostics, ...faults]
  }

  line(ordinal: number): EntryLine | undefined {
    return this.#lines[ordinal]
  }

  entry(id: string): SessionEntry | undefined {
    const ordinal = this.tree.ordinalOf(id)
    return ordinal === undefined ? undefined : this.#entries[ordinal]
  }

  /** Ordinals from the root to the entry. Empty for null and for an unknown id. */
  pathTo(id: string | null): number[] {
    const ordinal = id === null ? undefined : this.tree.ordinalOf(id)
    return ordinal === undefined ? [] : this.tree.pathTo(ordinal)
  }

  entriesAt(ordinals: readonly number[]): SessionEntry[] {
    return ordinals.flatMap((ordinal) => this.#entries[ordinal] ?? [])
  }

  entryPath(id: string | null): EntryPath {
    return pathOfEntries(this.entriesAt(this.pathTo(id)))
  }
}
