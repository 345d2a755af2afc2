import { isTreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { parseLine } from "../../log/parse-line.js"
import { isMessageLine, scanMessage, tellsNothing } from "../../log/scan-message.js"
import { LogReader } from "../../log/session-log.js"
import { LineSplitter } from "../../log/split-lines.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { noBytes } from "../reader/read-stored.js"
import { FactCollector } from "./fact-collector.js"
import type { ErrorInfo } from "./session-info.js"
import { brokenSummary, NO_RESUME, newSummary, type ResumePoint, type SessionSummary } from "./session-summary.js"

/**
 * Summarizes a session as its bytes are pushed (FORMAT.md, section 8). It reads the two ends of most lines and parses the others,
 * so that it costs little more than reading.
 */
export class SummaryReader {
  readonly #key: string
  readonly #facts: FactCollector
  readonly #lines: LineSplitter
  /** Reads the lines up to the header. */
  readonly #log: LogReader
  #error: ErrorInfo | undefined
  /** The end of the header's line; 0 before it was read. Bytes. */
  headerEnd: number
  /** The end of the last line that has a line end. Bytes. */
  end: number

  /** @param former the summary of the bytes that precede the first chunk */
  constructor(key: string, former?: SessionSummary) {
    const { size, headSize } = former?.resume ?? NO_RESUME
    this.#key = key
    this.#facts = new FactCollector(former)
    this.#lines = new LineSplitter({ line: 1, offset: size })
    this.#log = new LogReader(key)
    this.headerEnd = headSize
    this.end = size
  }

  /** Whether this is no session, whatever follows. */
  get hasFailed(): boolean {
    return this.#error !== undefined
  }

  /** @param chunk is not needed any more when this returns */
  push(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) {
      this.#read(line)
      if (this.hasFailed) return
      this.end = line.end
    }
  }

  /**
   * @param id the id in the key, for what is no session
   * @param marks fingerprints of the bytes up to `headerEnd` and before `end`
   */
  finish(id: string | undefined, stat: StorageStat, marks: Pick<ResumePoint, "head" | "tail">): SessionSummary {
    const resume = { size: this.end, headSize: this.headerEnd, ...marks, ...this.#facts.times }
    const settled = this.#facts.facts(stat)
    const rest = this.hasFailed ? [] : [...this.#lines.finish()]
    for (const line of rest) this.#read(line)
    if (this.headerEnd === 0) return brokenSummary(id, this.#error ?? this.#noHeader(), stat)
    return newSummary(this.#facts.facts(stat), rest.length === 0 ? resume : { ...resume, info: settled })
  }

  #noHeader(): ErrorInfo {
    try {
      this.#log.finish()
      return noBytes(this.#key)
    } catch (error) {
      if (isTreelogError(error, "InvalidSessionError")) return error
      throw error
    }
  }

  #read(line: Line): void {
    if (this.headerEnd === 0) this.#readHeader(line)
    else if (!line.terminated || !this.#scan(line.bytes))
      for (const { value } of parseLine(line).records) this.#facts.addEntry(value)
  }

  /** Whether scanning the line was enough. */
  #scan(bytes: Uint8Array): boolean {
    if (!isMessageLine(bytes)) return tellsNothing(bytes)
    const message = scanMessage(bytes)
    if (!message) return false
    this.#facts.addSketch(message)
    return true
  }

  #readHeader(line: Line): void {
    try {
      const records = this.#log.push(line)
      const log = this.#log.header && this.#log.finish()
      if (!log) return
      this.headerEnd = line.end
      this.#facts.addHeader(log)
      for (const { value } of records) this.#facts.addEntry(value)
    } catch (error) {
      if (!isTreelogError(error, "InvalidSessionError")) throw error
      this.#error = error
    }
  }
}
