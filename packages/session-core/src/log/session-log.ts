import type { Diagnostic } from "../entry/diagnostic.js"
import { CURRENT_VERSION, damagedEntry, type EntryHead, type SessionHeader } from "../entry/entry.js"
import { type JsonObject, textIn, valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import { usualHead } from "./entry-head.js"
import type { Line, Place } from "./line.js"
import { type LogRecord, parseLine } from "./parse-line.js"

/** What stands in a session's file, as it stands there: nothing is migrated, nothing is left out. */
export interface SessionLog extends LogOutline {
  /** Every object behind the header, in file order; what of it is an entry, the version decides. */
  readonly records: readonly LogRecord[]
}

/** What a log is apart from its records. */
export interface LogOutline {
  readonly header: SessionHeader
  readonly headerPlace: Place
  readonly version: number | "unsupported"
  /** omp's title line in front of the header. It is rewritten in place, and is not an entry. */
  readonly titleSlot: TitleSlot | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly end: LogEnd
}

/** omp's title in front of the header, and where it stands. */
export interface TitleSlot {
  readonly title: string
  readonly place: Place
}

/** How what is stored ends. */
export interface LogEnd {
  /** Bytes. */
  readonly size: number
  /** Lines, a last one without LF included. */
  readonly lines: number
  /** False when the last line has no LF: the next append must begin with one. */
  readonly terminated: boolean
}

/**
 * Reads the lines of a session (FORMAT.md, sections 2 and 4). Undefined when there are no bytes at all.
 * @param key named in errors
 * @throws InvalidSessionError when there are bytes, but the first parseable line is not a header
 */
export async function readLog(
  lines: AsyncIterable<Line> | Iterable<Line>,
  key: string,
): Promise<SessionLog | undefined> {
  const reader = new LogReader(key)
  const records: LogRecord[] = []
  for await (const line of lines) for (const record of reader.push(line)) records.push(record)
  const outline = reader.finish()
  return outline && { ...outline, records }
}

/** Takes a session's lines one after the other. */
export class LogReader {
  readonly #key: string
  readonly #diagnostics: Diagnostic[] = []
  #header: { value: SessionHeader; place: Place } | undefined
  #titleSlot: TitleSlot | undefined
  #end: LogEnd = { size: 0, lines: 0, terminated: true }
  #lastOffset = 0

  constructor(key: string) {
    this.#key = key
  }

  /** The header, once a line held it. */
  get header(): SessionHeader | undefined {
    return this.#header?.value
  }

  /** How many faults were found so far. */
  get faults(): number {
    return this.#diagnostics.length
  }

  /** Gives what the line holds behind the header. */
  push(line: Line): LogRecord[] {
    this.pass(line)
    const { records, faults, lost } = parseLine(line)
    for (const fault of faults) this.#diagnostics.push(fault)
    const taken = records.filter((record) => this.#take(record))
    return lost && this.#hasIds ? [...taken, unreadableRecord(lost, line)] : taken
  }

  /** Notes a line that another reader parses. */
  pass({ offset, end, number, terminated }: Omit<Line, "bytes">): void {
    this.#end = { size: end, lines: number, terminated }
    this.#lastOffset = offset
  }

  finish(): LogOutline | undefined {
    if (this.#end.size === 0) return undefined
    if (!this.#header) throw this.#invalid("no line that can be read as a session header")
    const { value: header, place: headerPlace } = this.#header
    const version = versionOf(header)
    if (!this.#end.terminated && this.#diagnostics.at(-1)?.kind !== "torn-line") {
      const message = `Line ${this.#end.lines}, the last, is whole but has no line end; the next append adds it.`
      const { lines: line } = this.#end
      this.#diagnostics.push({ kind: "unterminated-line", line, offset: this.#lastOffset, message })
    }
    return {
      header,
      headerPlace,
      version,
      titleSlot: this.#titleSlot,
      diagnostics: this.#diagnostics,
      end: this.#end,
    }
  }

  /** Entries of version 1 have no ids, so that none of them can name another. */
  get #hasIds(): boolean {
    return typeof this.#header?.value.version === "number" && this.#header.value.version > 1
  }

  /** Whether the record follows the header, and is not a header itself. */
  #take({ value, place }: LogRecord): boolean {
    if (this.#header && value.type !== "session") return true
    if (this.#header) this.#report("extra-header", place, "is a second session header; it is kept, and ignored")
    else if (isHeader(value)) this.#takeHeader(value, place)
    else if (value.type === "title" && !this.#titleSlot) {
      this.#titleSlot = { title: textIn(value.title), place }
    } else {
      const isEntry = typeof value.id === "string" && "parentId" in value
      throw this.#invalid(`a first record of type ${valueText(value.type)} on line ${place.line}`, isEntry)
    }
    return false
  }

  #takeHeader(value: SessionHeader, place: Place): void {
    for (const field of ["timestamp", "cwd"] as const) {
      if (typeof value[field] !== "string") {
        this.#report("invalid-header-field", place, `has a header whose ${field} is not a string`)
      }
    }
    this.#header = { value, place }
  }

  #report(kind: Diagnostic["kind"], { line, offset }: Place, what: string): void {
    this.#diagnostics.push({ kind, line, offset, message: `Line ${line} ${what}.` })
  }

  #invalid(found: string, isDamaged = false): TreelogError {
    const message = `${this.#key} is not a session: it has ${found}. It was not touched; \`treelog repair\` can look at it.`
    return new TreelogError("InvalidSessionError", message, { key: this.#key, found, isDamaged })
  }
}

/** What stands for an entry whose line is damaged behind its head. */
export function unreadableRecord(head: EntryHead, line: Line): LogRecord {
  const place: Place = { line: line.number, offset: line.offset, length: line.bytes.length }
  return { value: damagedEntry(head, { type: head.type }), place, lost: usualHead(line) ? "damaged" : "torn" }
}

export function isHeader(value: JsonObject): value is SessionHeader {
  return value.type === "session" && typeof value.id === "string" && value.id !== ""
}

/** Absent means 1; anything that is not a version of ours is not supported. */
export function versionOf(header: SessionHeader): number | "unsupported" {
  const version: unknown = header.version === undefined ? 1 : header.version
  const known = typeof version === "number" && Number.isInteger(version) && version >= 1 && version <= CURRENT_VERSION
  return known ? version : "unsupported"
}
