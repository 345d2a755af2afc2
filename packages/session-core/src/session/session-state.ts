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
  readonly #tree = new EntryTree()
  readonly #labels = new Labels()
  readonly #diagnostics: Diagnostic[] = []
  /** Undefined: no entry ever named the session. Empty: the name was cleared. */
  #name: string | undefined
  #leafId: string | null = null

  /** Adds the next entry in file order. Where it has no line yet, `placed` tells later. Returns its ordinal. */
  add(entry: SessionEntry, line?: EntryLine): number {
    this.#entries.push(entry)
    this.#lines.push(line)
    this.#tree.add(entry)
    this.#labels.add(entry)
    if (isEntry(entry, "session_info")) this.#name = typeof entry.name === "string" ? entry.name : ""
    else if (isEntry(entry, "title_change") && typeof entry.title === "string") this.#name = entry.title
    return this.#entries.length - 1
  }

  /** Moves the leaf to where the file says that it is after this entry. */
  follow(entry: SessionEntry): void {
    if (isEntry(entry, "leaf") && entry.targetId !== null && !this.#tree.has(entry.targetId)) {
      const message = `Leaf entry ${entry.id} points at ${valueText(entry.targetId)}, which is not in the file; it moves nothing.`
      const place = this.#lines[this.#tree.ordinalOf(entry.id) ?? -1]?.place
      this.report({
        kind: "unknown-leaf-target",
        entryId: entry.id,
        ...(place && { line: place.line, offset: place.offset }),
        message,
      })
    }
    this.#leafId = leafAfter(entry, this.#leafId, (id) => this.#tree.has(id))
  }

  /** Notes where an entry's line stands now; undefined when it stands nowhere. */
  placed(ordinal: number, line: EntryLine | undefined): void {
    this.#lines[ordinal] = line
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  get entries(): readonly SessionEntry[] {
    return this.#entries
  }

  get tree(): EntryTree {
    return this.#tree
  }

  get labels(): Labels {
    return this.#labels
  }

  get leafId(): string | null {
    return this.#leafId
  }

  set leafId(id: string | null) {
    this.#leafId = id
  }

  /** The name that entries gave: undefined when none ever did, empty when it was cleared. */
  get name(): string | undefined {
    return this.#name
  }

  get diagnostics(): Diagnostic[] {
    const faults = this.#tree.faults().map(({ kind, ordinal, entryId, message }): Diagnostic => {
      const place = this.#lines[ordinal]?.place
      return { kind, entryId, ...(place && { line: place.line, offset: place.offset }), message }
    })
    return [...this.#diagnostics, ...faults]
  }

  line(ordinal: number): EntryLine | undefined {
    return this.#lines[ordinal]
  }

  entry(id: string): SessionEntry | undefined {
    const ordinal = this.#tree.ordinalOf(id)
    return ordinal === undefined ? undefined : this.#entries[ordinal]
  }

  /** Ordinals from the root to the entry. Empty for null and for an unknown id. */
  pathTo(id: string | null): number[] {
    const ordinal = id === null ? undefined : this.#tree.ordinalOf(id)
    return ordinal === undefined ? [] : this.#tree.pathTo(ordinal)
  }

  entriesAt(ordinals: readonly number[]): SessionEntry[] {
    return ordinals.flatMap((ordinal) => this.#entries[ordinal] ?? [])
  }

  entryPath(id: string | null): EntryPath {
    return pathOfEntries(this.entriesAt(this.pathTo(id)))
  }
}
