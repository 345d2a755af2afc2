import type { EntryHead } from "../entry/entry.js"
import { CURRENT_VERSION } from "../entry/header.js"
import type { Line, Place } from "./line.js"
import type { LogRecord } from "./parse-line.js"
import { usualHead } from "./scan-head.js"
import { type LogOutline, LogReader } from "./session-log.js"

/** The bytes of a log as heads and places: bodies stay where they are. */
export interface SessionIndex extends LogOutline {
  /** Every entry behind the header, and every object that is none, in file order. */
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
 * Makes the index of a session as its lines come by (FORMAT.md, sections 2 and 4). Lines that begin or end as the known writers
 * write them are not parsed: their heads are read from the bytes. Any other line is parsed, and gives what `readLog` makes of it.
 * A session of another version is left to `readLog`.
 */
export class SessionIndexer {
  readonly #log: LogReader
  readonly #isCareful: boolean
  readonly #items: IndexItem[] = []
  /** The last line, where it was passed. */
  #passed: Place | undefined

  /**
   * @param key named in errors
   * @param isCareful parses every line: where a look at its two ends was not enough
   */
  constructor(key: string, isCareful = false) {
    this.#log = new LogReader(key)
    this.#isCareful = isCareful
  }

  /** Whether the next line need not be parsed where its two ends tell enough. */
  get isPassing(): boolean {
    return !this.#isCareful && this.#log.header !== undefined
  }

  /** Takes in what the two ends of a line tell of it. The line has an end. */
  pass(head: EntryHead, line: number, offset: number, length: number): void {
    this.#passed = { line, offset, length }
    this.#items.push({ head, place: this.#passed })
  }

  /** False when the session is of another version: there is nothing to be had here. */
  push(line: Line): boolean {
    const head = this.isPassing ? usualHead(line) : undefined
    if (head) {
      this.#log.pass(line)
      this.#passed = undefined
      this.#items.push({ head, place: { line: line.number, offset: line.offset, length: line.bytes.length } })
      return true
    }
    this.#passed = undefined
    const { faults } = this.#log
    const records = this.#log.push(line)
    const isSound = records.length === 1 && faults === this.#log.faults
    for (const record of records) this.#items.push((isSound && withoutBody(record)) || record)
    return this.#log.header === undefined || this.#log.header.version === CURRENT_VERSION
  }

  /** @throws InvalidSessionError when there were bytes, but no header */
  finish(): SessionIndex | undefined {
    if (this.#passed) {
      const { line: number, offset, length } = this.#passed
      this.#log.pass({ number, offset, end: offset + length + 1, terminated: true })
    }
    const outline = this.#log.finish()
    return outline && { ...outline, items: this.#items }
  }
}

/** An entry that is alone on its line can be read again when it is asked for. */
function withoutBody({ value, place }: LogRecord): IndexedEntry | undefined {
  const { type, id, parentId, timestamp } = value
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined
  if (typeof timestamp !== "string" || (parentId !== null && typeof parentId !== "string")) return undefined
  return { head: { type, id, parentId, timestamp }, place, isParsed: true }
}
