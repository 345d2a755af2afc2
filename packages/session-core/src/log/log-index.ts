import { CURRENT_VERSION, type EntryHead } from "../entry/entry.js"
import { usualHead } from "./entry-head.js"
import type { Line, Place } from "./line.js"
import type { LogRecord } from "./parse-line.js"
import { type LogOutline, LogReader } from "./session-log.js"
import { LineSplitter } from "./split-lines.js"

/** The bytes of a log as heads and places: bodies stay where they are. */
export interface LogIndex extends LogOutline {
  /** Every entry behind the header, and every object that is not an entry, in file order. */
  readonly items: readonly IndexItem[]
}

/** An entry that was not parsed, or a record that had to be. */
export type IndexItem = IndexedEntry | LogRecord

export interface IndexedEntry {
  readonly head: EntryHead
  readonly place: Place
  /** The line was parsed, and nothing is wrong with it. */
  readonly isParsed?: boolean
}

/**
 * Makes the index of a session as its bytes come, a block at a time (FORMAT.md, sections 2 and 4). Lines that begin or end as the
 * known writers write them are not parsed: their heads are read from the bytes. Any other line is parsed, and gives what `readLog`
 * makes of it. A session of another version is left to `readLog`.
 */
export class LogIndexer {
  readonly #lines = new LineSplitter()
  readonly #log: LogReader
  readonly #isCareful: boolean
  readonly #items: IndexItem[] = []

  /**
   * @param key named in errors
   * @param isCareful parses every line: where its two ends were not enough
   */
  constructor(key: string, isCareful = false) {
    this.#log = new LogReader(key)
    this.#isCareful = isCareful
  }

  /** False when the session is of another version: it is not indexed. The block may change afterwards. */
  push(block: Uint8Array): boolean {
    return this.#addAll(this.#lines.push(block))
  }

  /** Undefined also when the session is of another version. @throws InvalidSessionError when there were bytes, but no header */
  finish(): LogIndex | undefined {
    const outline = this.#addAll(this.#lines.finish()) ? this.#log.finish() : undefined
    return outline && { ...outline, items: this.#items }
  }

  #addAll(lines: Iterable<Line>): boolean {
    for (const line of lines) if (!this.#add(line)) return false
    return true
  }

  #add(line: Line): boolean {
    const head = this.#isCareful || !this.#log.header ? undefined : usualHead(line)
    if (head) {
      this.#log.pass(line)
      this.#items.push({ head, place: { line: line.number, offset: line.offset, length: line.bytes.length } })
      return true
    }
    const { faults } = this.#log
    const records = this.#log.push(line)
    const isSound = records.length === 1 && faults === this.#log.faults
    for (const record of records) this.#items.push((isSound && withoutBody(record)) || record)
    return this.#log.header === undefined || this.#log.header.version === CURRENT_VERSION
  }
}

/** An entry that is alone on its line can be read again when it is needed. */
function withoutBody({ value, place }: LogRecord): IndexedEntry | undefined {
  const { type, id, parentId, timestamp } = value
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined
  if (typeof timestamp !== "string" || (parentId !== null && typeof parentId !== "string")) return undefined
  return { head: { type, id, parentId, timestamp }, place, isParsed: true }
}
