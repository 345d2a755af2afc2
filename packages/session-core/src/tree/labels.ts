import { isEntry, type SessionEntry } from "../entry/entry.js"

/** The last label of an entry. */
export interface Label {
  readonly label: string
  /** ISO 8601: when it was set. */
  readonly timestamp: string
}

/** The labels of a session: for each target, the last label entry in the file, on any branch. */
export class Labels {
  readonly #byTarget = new Map<string, Label>()

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  /** Adds an entry; only label entries have an effect. */
  add(entry: SessionEntry): void {
    if (!isEntry(entry, "label") || typeof entry.targetId !== "string") return
    if (typeof entry.label === "string" && entry.label !== "") {
      this.#byTarget.set(entry.targetId, { label: entry.label, timestamp: entry.timestamp })
    } else this.#byTarget.delete(entry.targetId)
  }

  get(targetId: string): Label | undefined {
    return this.#byTarget.get(targetId)
  }

  entries(): IterableIterator<[targetId: string, label: Label]> {
    return this.#byTarget.entries()
  }
}
