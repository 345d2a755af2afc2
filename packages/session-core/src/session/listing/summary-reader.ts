import { isTreelogError } from "../../errors.js"
import { lineText } from "../../log/byte-text.js"
import { fingerprint } from "../../log/bytes.js"
import type { Line } from "../../log/line.js"
import { parseLine } from "../../log/parse-line.js"
import { isMessageLine, scanMessage, tellsNothing } from "../../log/scan-message.js"
import { LogReader } from "../../log/session-log.js"
import { LineSplitter } from "../../log/split-lines.js"
import type { SessionStorage, StorageStat } from "../../ports/session-storage.js"
import { atOnce, noBytes } from "../reader/read-stored.js"
import { changed } from "../reader/stored-tail.js"
import { FactCollector } from "./fact-collector.js"
import {
  brokenSummary,
  type ErrorInfo,
  NO_RESUME,
  newSummary,
  type ResumePoint,
  type SessionSummary,
} from "./session-info.js"

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
    else if (!line.terminated || !this.#scan(lineText(line)))
      for (const { value } of parseLine(line).records) this.#facts.addEntry(value)
  }

  /** Whether scanning the line was enough. */
  #scan(text: string): boolean {
    if (!isMessageLine(text)) return tellsNothing(text)
    const message = scanMessage(text)
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

/** How many bytes before the end of what was read must be unchanged for reading to resume there. */
const TAIL = 1024

interface StoredSession {
  readonly storage: Pick<SessionStorage, "readRange" | "openRanges">
  readonly key: string
  /** The session id, if the key contains it. */
  readonly id?: string | undefined
  readonly stat: StorageStat
  /** Blocks are read into it, one after the other. Longer than the header, for reading to resume. */
  readonly block: Uint8Array
}

/**
 * Summarizes a stored session of the size of `stat`. With a former summary, if the first and the last bytes that it was made of are
 * unchanged, only what was appended is read.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function readSummary(session: StoredSession, former?: SessionSummary): Promise<SessionSummary> {
  // One call for each open, read and close of many small files: through other threads they take longer than the reading of the lines.
  const ranges = await session.storage.openRanges?.(session.key, session.stat.identity, "some")
  try {
    return await summarize(ranges ? { ...session, storage: atOnce(ranges) } : session, former)
  } finally {
    ranges?.close()
  }
}

async function summarize(session: StoredSession, former?: SessionSummary): Promise<SessionSummary> {
  const { key, id, stat } = session
  const resume = former && (await hasSameHead(session, former)) ? former.resume : NO_RESUME
  const reader = new SummaryReader(key, resume === NO_RESUME ? undefined : former)
  let { size: at, head, tail } = resume
  while (at < stat.size && !reader.hasFailed) {
    // Each block begins with the last bytes that were read before.
    const from = Math.max(0, at - TAIL)
    const block = await read(session, from, stat.size)
    if (block.length <= at - from) throw changed(key, "shrunk")
    if (at > 0 && at === resume.size && fingerprint(block.subarray(0, at - from)) !== resume.tail)
      return summarize(session)
    reader.push(block.subarray(at - from))
    if (at === 0) head = fingerprint(block.subarray(0, reader.headerEnd))
    if (reader.end > at) tail = fingerprint(block.subarray(Math.max(0, reader.end - TAIL - from), reader.end - from))
    at = from + block.length
  }
  return reader.finish(id, stat, { head, tail })
}

async function hasSameHead(session: StoredSession, { resume }: SessionSummary): Promise<boolean> {
  const { size, headSize, head } = resume
  if (headSize === 0 || size >= session.stat.size || headSize > session.block.length) return false
  return fingerprint(await read(session, 0, headSize)) === head
}

/** As many of the bytes `[from, to)` as the block holds, until the next ones are read. */
function read({ storage, key, stat, block }: StoredSession, from: number, to: number): Promise<Uint8Array> {
  return storage.readRange(key, from, Math.min(to - from, block.length), stat.identity, block)
}
