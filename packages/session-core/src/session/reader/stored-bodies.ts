import type { Diagnostic } from "../../entry/diagnostic.js"
import { damagedEntry, type EntryHead, type SessionEntry } from "../../entry/entry.js"
import type { Place } from "../../log/line.js"
import { parseLine, toEntry } from "../../log/parse-line.js"
import type { StoredRanges } from "../../ports/session-source.js"
import { sessionChanged } from "../../ports/stored-errors.js"

/** Who reads one entry will often read the next: so much is read at once. Bytes. */
const AHEAD = 65_536

/** An entry as it was read, and what was wrong with its line. */
export interface ReadBody {
  readonly entry: SessionEntry
  /** The line is not what its head promised: the entry only stands for it. */
  readonly isDamaged: boolean
  readonly faults: readonly Diagnostic[]
}

/** Reads the entries of a stored session when they are needed. */
export class StoredBodies {
  readonly #ranges: StoredRanges
  readonly #key: string
  #block: Uint8Array = new Uint8Array()
  #blockOffset = 0

  /** @param key named in errors */
  constructor(ranges: StoredRanges, key: string) {
    this.#ranges = ranges
    this.#key = key
  }

  /** @throws StorageError, SessionChangedError when what is stored cannot be read any more */
  read(head: EntryHead, { line, offset, length }: Place): ReadBody {
    const bytes = this.#bytes(offset, length)
    const { records, faults } = parseLine({ number: line, offset, bytes, end: offset + length + 1, terminated: true })
    for (const record of records) {
      const entry = toEntry(record)
      if (entry?.id === head.id) return { entry, isDamaged: false, faults }
    }
    return { entry: damagedEntry(head, { type: head.type }) as unknown as SessionEntry, isDamaged: true, faults }
  }

  close(): void {
    this.#block = new Uint8Array()
    this.#ranges.close()
  }

  #bytes(offset: number, length: number): Uint8Array {
    const from = offset - this.#blockOffset
    if (from >= 0 && from + length <= this.#block.length) return this.#block.subarray(from, from + length)
    const bytes = this.#ranges.read(offset, Math.max(length, AHEAD))
    if (bytes.length < length) throw sessionChanged(this.#key, "shrunk")
    if (length > AHEAD) return bytes
    this.#block = bytes
    this.#blockOffset = offset
    return bytes.subarray(0, length)
  }
}
