import type { SessionEntry } from "../../entry/entry.js"
import type { Line, Place } from "../../log/line.js"
import type { LineQueue } from "./line-queue.js"

/** What a writer asks of the session that it writes for. */
export interface WriterHost {
  /** The header as a line. */
  header(): object
  /** Lines that others appended; own ones may be among them. */
  absorb(lines: readonly Line[]): void
  /** Whether the line (without its LF) is written as it is. Any other is prepared first. */
  isPlain(text: string): boolean
  /** The line as it is to be written: what is too large for it goes elsewhere first, durably. */
  prepare(line: string): Promise<string>
  /** The lines of all entries, stored or not. */
  everything(): LineQueue
  /** Where the lines of `everything` stand now. */
  storedAnew(places: readonly Place[]): void
  /** Whether an own entry is known to be stored. */
  isPlaced(entry: SessionEntry): boolean
  /** Where the line of an own entry stands now. */
  placed(entry: SessionEntry, place: Place): void
}
