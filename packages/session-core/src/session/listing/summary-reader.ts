import { isTreelogError } from "../../errors.js"
import { byteText } from "../../log/byte-text.js"
import type { Line } from "../../log/line.js"
import { parseLine } from "../../log/parse-line.js"
import { isMessageLine, isUnlisted, scanMessage } from "../../log/scan-message.js"
import { LogReader } from "../../log/session-log.js"
import { LineSplitter } from "../../log/split-lines.js"
import type { SessionSource, StorageStat } from "../../ports/session-source.js"
import { atOnce, noHeaderError } from "../reader/read-stored.js"
import {
  FROM_START,
  isUnchanged,
  type ReadMark,
  type ResumableReader,
  readFrom,
  type SessionToRead,
} from "../reader/resume-reading.js"
import { FactCollector } from "./fact-collector.js"
import { brokenSummary, type ErrorInfo, newSummary, type SessionSummary } from "./session-info.js"

/**
 * Summarizes a session as its bytes are pushed (FORMAT.md, section 8). It reads the two ends of most lines and parses the others,
 * so that it costs little more than reading.
 */
export class SummaryReader implements ResumableReader {
  readonly #key: string
  readonly #facts: FactCollector
  readonly #lines: LineSplitter
  /** Reads the lines up to the header. */
  readonly #log: LogReader
  #error: ErrorInfo | undefined
  headerEnd: number
  end: number

  /** @param former the summary of the bytes that precede the first chunk */
  constructor(key: string, former?: SessionSummary) {
    const { size, headSize } = former?.resume ?? FROM_START
    this.#key = key
    this.#facts = new FactCollector(former)
    this.#lines = new LineSplitter({ line: 1, offset: size })
    this.#log = new LogReader(key)
    this.headerEnd = headSize
    this.end = size
  }

  get hasFailed(): boolean {
    return this.#error !== undefined
  }

  push(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) {
      this.#read(line)
      if (this.hasFailed) return
      this.end = line.end
    }
  }

  /**
   * @param id the id in the key, for what is not a session
   * @param mark how far it was read; by default, reading cannot resume
   */
  finish(id: string | undefined, stat: StorageStat, mark = FROM_START): SessionSummary {
    const resume = { ...mark, ...this.#facts.times }
    const settled = this.#facts.facts(stat)
    const rest = this.hasFailed ? [] : [...this.#lines.finish()]
    for (const line of rest) this.#read(line)
    if (this.headerEnd === 0) return brokenSummary(id, this.#error ?? noHeaderError(this.#log, this.#key), stat)
    return newSummary(this.#facts.facts(stat), rest.length === 0 ? resume : { ...resume, info: settled })
  }

  #read(line: Line): void {
    if (this.headerEnd === 0) this.#readHeader(line)
    else if (!line.terminated || !this.#scan(line.bytes))
      for (const { value } of parseLine(line).records) this.#facts.addEntry(value)
  }

  /** Whether scanning the line was enough. */
  #scan(bytes: Uint8Array): boolean {
    const text = byteText(bytes)
    if (!isMessageLine(text)) return isUnlisted(text)
    const message = scanMessage(text, bytes)
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

interface StoredSession extends SessionToRead {
  readonly storage: Pick<SessionSource, "readRange" | "openRanges">
  /** The session id, if the key contains it. */
  readonly id?: string | undefined
}

/**
 * Summarizes a stored session of the size of `stat`. With a former summary, if the first and the last bytes that it was made of are
 * unchanged, only what was appended is read.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function readSummary(session: StoredSession, former?: SessionSummary): Promise<SessionSummary> {
  // One call for each open, read and close of many small files: through other threads they take longer than the reading of the lines.
  const { storage, key, stat } = session
  const ranges = await storage.openRanges?.(key, stat.identity)
  try {
    return await summarize(ranges ? { ...session, storage: atOnce(ranges) } : session, former)
  } finally {
    ranges?.close()
  }
}

async function summarize(session: StoredSession, former?: SessionSummary): Promise<SessionSummary> {
  const { key, id, stat } = session
  const hasGrown = former !== undefined && former.resume.size < stat.size
  const resumed = hasGrown && (await isUnchanged(session, former.resume)) ? former : undefined
  const reader = new SummaryReader(key, resumed)
  let mark: ReadMark = resumed?.resume ?? FROM_START
  for await (const next of readFrom(session, mark, reader)) mark = next
  return reader.finish(id, stat, mark)
}
