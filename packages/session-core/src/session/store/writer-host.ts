import type { SessionEntry } from "../../entry/entry.js"
import type { Line, Place } from "../../log/line.js"

/** What a writer asks of the session that it writes for. */
export interface WriterHost {
  /** The header as a line. */
  header(): object
  /** Lines that others appended; own ones may be among them. */
  absorb(lines: readonly Line[]): void
  /** The line as it is to be written: what is too large for it goes elsewhere first, durably. */
  prepare(text: string): string | Promise<string>
  /** Where the line of an own entry stands now. */
  placed(entry: SessionEntry, place: Place): void
}
