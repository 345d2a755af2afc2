import { isEntry, type SessionEntry } from "../entry/entry.js"

/** A label as it was set last. */
export interface Label {
  readonly label: string
  /** ISO 8601: when it was set. */
  readonly timestamp: string
}

/** The labels of a session: for each target the last one in the whole file, on whichever branch it stands. */
export class Labels {
  readonly #byTarget = new Map<string, Label>()

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  /** Takes notice of an entry; any but a label changes nothing. */
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
