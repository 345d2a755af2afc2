import { millisOf } from "../../entry/time.js"
import { isTreelogError, type TreelogError } from "../../errors.js"
import { startsWithAt } from "../../log/ascii-bytes.js"
import { fingerprint } from "../../log/fingerprint.js"
import { joinBytes } from "../../log/join-bytes.js"
import { type Line, LONGEST_LINE } from "../../log/line.js"
import { type LogRecord, parseLine } from "../../log/parse-line.js"
import { isMessageLine, scanMessage, tellsNothing } from "../../log/scan-message.js"
import { type LogOutline, LogReader } from "../../log/session-log.js"
import { noBytes } from "../reader/read-stored.js"
import { FactCollector } from "./fact-collector.js"
import {
  type ErrorInfo,
  type Fingerprint,
  type HeaderFacts,
  NO_FINGERPRINT,
  type SessionReading,
} from "./session-reading.js"

const LF = 0x0a
const CR = 0x0d
const BOM = /* @__PURE__ */ Uint8Array.of(0xef, 0xbb, 0xbf)

/** How much before the end of what was read must be the same for reading to go on there. Bytes. */
const TAIL = 1024

/**
 * Sums a session up as its bytes come by (FORMAT.md, section 8). It looks at the two ends of most lines and parses the others,
 * so that it costs little more than reading. It can begin where a former summary ended.
 */
export class SummaryReader {
  readonly #key: string
  readonly #facts: FactCollector
  /** Reads the lines up to the header. */
  readonly #log: LogReader
  #header: HeaderFacts | undefined
  #error: ErrorInfo | undefined
  /** Where the next line begins. */
  #offset: number
  #lines: number
  #head: Fingerprint
  #tail: Fingerprint
  /** The pieces of a line whose end has not been seen. */
  #held: Uint8Array[] = []
  /** How many bytes it has so far. What is too long to be read is not held. */
  #heldLength = 0
  /** The first bytes, until the header is seen. */
  #beginning: Uint8Array | undefined
  /** The bytes before the chunk at hand. */
  #before: Uint8Array

  /** @param start what to go on from, and the bytes of its `tail` */
  constructor(key: string, start?: { reading: SessionReading; tail: Uint8Array }) {
    const { header, facts, size = 0, lines = 0, head = NO_FINGERPRINT, tail = NO_FINGERPRINT } = start?.reading ?? {}
    this.#key = key
    this.#log = new LogReader(key)
    this.#facts = new FactCollector(facts)
    this.#header = header
    this.#offset = size
    this.#lines = lines
    this.#head = head
    this.#tail = tail
    this.#before = start?.tail ?? new Uint8Array()
  }

  /** Nothing further will change what is known: this is no session. */
  get hasEnded(): boolean {
    return this.#error !== undefined
  }

  /** @param chunk is not needed any more when this returns */
  push(chunk: Uint8Array): void {
    this.#beginning = this.#header || this.#before.length > 0 ? undefined : chunk
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      if (this.#heldLength === 0) this.#line(chunk, from, at)
      else this.#heldLine(chunk.subarray(from, at))
      if (this.hasEnded) return
      from = at + 1
    }
    if (from > 0) this.#tail = printOf(lastBytes(this.#before, chunk.subarray(0, from)))
    if (from < chunk.length) this.#hold(chunk.subarray(from))
    this.#before = new Uint8Array(lastBytes(this.#before, chunk))
    this.#beginning = undefined
  }

  finish(): SessionReading {
    const canGoOn = this.#header !== undefined && this.#head.length > 0
    const settled = { facts: this.#facts.facts, size: canGoOn ? this.#offset : 0, lines: this.#lines }
    const rest = this.#held.length > 0 ? joinBytes(this.#held) : undefined
    if (rest) this.#read(rest, false)
    return {
      ...(this.#header ? { header: this.#header } : { error: this.#error ?? this.#noHeader() }),
      ...settled,
      ...(rest && { factsWithRest: this.#facts.facts }),
      head: this.#head,
      tail: this.#tail,
    }
  }

  #noHeader(): ErrorInfo {
    try {
      this.#log.finish()
      return errorInfo(noBytes(this.#key))
    } catch (error) {
      if (isTreelogError(error, "InvalidSessionError")) return errorInfo(error)
      throw error
    }
  }

  #hold(bytes: Uint8Array): void {
    this.#heldLength += bytes.length
    if (this.#heldLength > LONGEST_LINE) this.#held = []
    else this.#held.push(new Uint8Array(bytes))
  }

  #heldLine(end: Uint8Array): void {
    const length = this.#heldLength + end.length
    const held = this.#held
    this.#held = []
    this.#heldLength = 0
    if (length <= LONGEST_LINE) {
      this.#line(joinBytes([...held, end]), 0, length)
      return
    }
    this.#offset += length + 1
    this.#lines += 1
  }

  /** A line, `[from, to)` of the bytes, that has its LF. */
  #line(bytes: Uint8Array, from: number, to: number): void {
    if (!this.#header || !this.#look(bytes, from, to)) this.#read(bytes.subarray(from, to), true)
    this.#offset += to - from + 1
    this.#lines += 1
    if (this.#beginning && this.#header) {
      // Where the header is further off than the first chunk, there is nothing to go on from, and the next time begins anew.
      if (this.#offset <= this.#beginning.length) this.#head = printOf(this.#beginning.subarray(0, this.#offset))
      this.#beginning = undefined
    }
  }

  /** Whether a look at the line was enough. */
  #look(bytes: Uint8Array, from: number, to: number): boolean {
    const end = to > from && bytes[to - 1] === CR ? to - 1 : to
    if (!isMessageLine(bytes, from)) return tellsNothing(bytes, from, end)
    const message = scanMessage(bytes, from, end)
    if (!message) return false
    this.#facts.addSketch(message)
    return true
  }

  #read(bytes: Uint8Array, terminated: boolean): void {
    const line = lineOf(bytes, { offset: this.#offset, number: this.#lines + 1, terminated })
    if (this.#header) {
      for (const { value } of parseLine(line).records) this.#facts.add(value)
      return
    }
    const records: LogRecord[] = []
    try {
      records.push(...this.#log.push(line))
    } catch (error) {
      if (!isTreelogError(error, "InvalidSessionError")) throw error
      this.#error = errorInfo(error)
    }
    const log = this.#log.header && this.#log.finish()
    if (!log) return
    this.#header = headerFacts(log)
    for (const { value } of records) this.#facts.add(value)
  }
}

function errorInfo({ code, message }: TreelogError): ErrorInfo {
  return { code, message }
}

function headerFacts({ header, titleSlot }: LogOutline): HeaderFacts {
  const title = titleSlot?.title ?? textOf(header.title)
  const parentSession = textOf(header.parentSession)
  return {
    id: header.id,
    cwd: textOf(header.cwd) ?? "",
    created: millisOf(header.timestamp),
    ...(parentSession && { parentSession }),
    ...(title && { title }),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

function lineOf(
  bytes: Uint8Array,
  { offset, number, terminated }: Pick<Line, "offset" | "number" | "terminated">,
): Line {
  const end = offset + bytes.length + (terminated ? 1 : 0)
  const from = offset === 0 && startsWithAt(bytes, 0, BOM) ? BOM.length : 0
  const to = terminated && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length
  return { number, offset: offset + from, bytes: bytes.subarray(Math.min(from, to), to), end, terminated }
}

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  const all = chunk.length >= TAIL ? chunk : joinBytes([before, chunk])
  return all.subarray(Math.max(0, all.length - TAIL))
}

export function printOf(bytes: Uint8Array): Fingerprint {
  return { length: bytes.length, print: fingerprint(bytes) }
}
