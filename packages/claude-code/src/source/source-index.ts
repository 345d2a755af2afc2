import type { Diagnostic } from "@treelog/session-core"
import { type Line, LineSplitter, type LogRecord, parseLine, type RecordForm } from "@treelog/session-core/adapter"
import type { JsonObject } from "../json-values.js"
import { isJsonObject, stringOf } from "../json-values.js"
import { BLOCK, type ByteSource } from "./byte-source.js"
import type { IdTable } from "./id-table.js"
import type { LineFault, RecordPlace } from "./record-facts.js"
import { damagedHead, headOf, type RecordHead } from "./record-head.js"
import { type RecordRange, SourceRecord } from "./source-record.js"

/** Records of Claude Code have a type; not all have a time. */
export const CLAUDE_RECORDS: RecordForm = {
  start: /\{"(?:type|parentUuid)":/g,
  isRecord: ({ type }) => typeof type === "string",
}

/** Names for lines that hold no record. */
export const UNREADABLE = "unreadable"
export const BLANK = "blank"

/** The first value of each field in a file. */
export interface FirstValues {
  version?: string | undefined
  gitBranch?: string | undefined
  cwd?: string | undefined
  time?: string | undefined
  sessionId?: string | undefined
  /** What started the client, such as `cli` or `sdk-ts`. */
  entrypoint?: string | undefined
  /** Such as `bg` or `daemon`. */
  sessionKind?: string | undefined
  /** The session that this one was forked from. */
  forkedFrom?: string | undefined
}

/**
 * What linking needs of all records of a file, in file order. It goes on when the file has grown. A last line without line end is
 * read again then: it may have been half written.
 */
export class SourceIndex {
  readonly records: SourceRecord[] = []
  readonly faults: LineFault[] = []
  readonly places: RecordPlace[] = []
  /** The requests that the file has: what all of them share, what they go on from, and themselves. */
  readonly requests = new Set<string>()
  readonly #shapes = new Set<unknown>()
  blankLines = 0
  /** Whether the last line has no line end and holds no record: it is being written, or was cut off. */
  isTorn = false
  /** Metadata for the header, from the first record that has it. */
  first: FirstValues = {}
  #lastPlace = -1
  readonly #placeNumbers = new Map<string, number>()
  readonly #ids: IdTable
  /** What the last line added, when it had no line end: it is removed before more is read. */
  #provisional: { records: number; faults: number; first: FirstValues } | undefined
  /** Where the next line begins. */
  #next = { line: 1, offset: 0 }

  constructor(ids: IdTable) {
    this.#ids = ids
  }

  /** Reads what was added since the last time. Where the source became shorter it was replaced, and is read anew. */
  update(source: ByteSource): void {
    this.#dropProvisional()
    const splitter = new LineSplitter({ line: this.#next.line, offset: this.#next.offset })
    for (let offset = this.#next.offset; offset < source.size; ) {
      const bytes = source.read(offset, Math.min(BLOCK * 4, source.size - offset))
      if (bytes.length === 0) break
      for (const line of splitter.push(bytes)) this.#addLine(line)
      offset += bytes.length
    }
    for (const line of splitter.finish()) this.#addLine(line)
  }

  #dropProvisional(): void {
    if (!this.#provisional) return
    this.records.length = this.#provisional.records
    this.faults.length = this.#provisional.faults
    this.first = this.#provisional.first
    this.#provisional = undefined
    this.isTorn = false
  }

  #addLine(line: Line): void {
    if (!line.terminated)
      this.#provisional = { records: this.records.length, faults: this.faults.length, first: { ...this.first } }
    const { records, faults } = parseLine(line, CLAUDE_RECORDS)
    for (const diagnostic of faults) this.faults.push({ at: this.records.length, diagnostic })
    let part = 0
    for (const record of records) this.#addRecord(record, part++)
    if (records.length === 0) this.#addUnreadable(line, faults)
    if (line.terminated) this.#next = { line: line.number + 1, offset: line.end }
  }

  #addUnreadable(line: Line, faults: readonly Diagnostic[]): void {
    if (faults.length === 0) this.blankLines += line.terminated ? 1 : 0
    else if (!line.terminated) this.isTorn = true
    else this.#add(placeOf(line), damagedHead(UNREADABLE), {})
  }

  #addRecord({ value, place: { line, offset, length } }: LogRecord, part: number): void {
    if (!CLAUDE_RECORDS.isRecord(value)) {
      const message = `Line ${line} is no record of Claude Code: it has no type.`
      this.faults.push({ at: this.records.length, diagnostic: { kind: "not-an-entry", line, offset, message } })
    }
    this.#note(value)
    this.#add({ line, part, offset, length }, headOf(value, length), value)
  }

  #add(range: RecordRange, head: RecordHead, value: JsonObject): void {
    this.records.push(new SourceRecord(range, head, value, this.#placeOf(value), this.#ids))
  }

  #note(value: JsonObject): void {
    const { first } = this
    first.version ??= stringOf(value.version)
    first.gitBranch ??= stringOf(value.gitBranch)
    first.cwd ??= stringOf(value.cwd)
    first.time ??= stringOf(value.timestamp)
    first.sessionId ??= stringOf(value.sessionId)
    if (value.isSidechain !== true) noteOrigin(first, value)
    first.forkedFrom ??= isJsonObject(value.forkedFrom) ? stringOf(value.forkedFrom.sessionId) : undefined
    if (value.type === "api-request-shape") this.#shapes.add(value.shapeHash)
    else if (value.type === "api-request") this.#noteRequest(value)
  }

  #noteRequest({ id, shapeHash, base }: JsonObject): void {
    const isWhole = this.#shapes.has(shapeHash) && (base === undefined || this.requests.has(String(base)))
    if (typeof id === "string" && isWhole) this.requests.add(id)
  }

  #placeOf({ cwd, gitBranch }: JsonObject): number {
    const folder = stringOf(cwd)
    if (folder === undefined) return -1
    const branch = stringOf(gitBranch)
    const last = this.places[this.#lastPlace]
    if (last && last.cwd === folder && last.gitBranch === branch) return this.#lastPlace
    const key = `${folder}\0${branch ?? ""}`
    const number = this.#placeNumbers.get(key) ?? this.places.push({ cwd: folder, gitBranch: branch }) - 1
    this.#placeNumbers.set(key, number)
    this.#lastPlace = number
    return number
  }
}

/** Notes what started the client, where that is not known yet. */
export function noteOrigin(first: Pick<FirstValues, "entrypoint" | "sessionKind">, value: JsonObject): void {
  first.entrypoint ??= stringOf(value.entrypoint)
  first.sessionKind ??= stringOf(value.sessionKind)
}

/** Whether a program had a session, and not a person: Claude Code does not list those. */
export function isOfProgram({ entrypoint, sessionKind }: FirstValues): boolean {
  return entrypoint?.startsWith("sdk-") === true || sessionKind?.startsWith("daemon") === true
}

function placeOf(line: Line): RecordRange {
  return { line: line.number, part: 0, offset: line.offset, length: line.tooLong ?? line.bytes.length }
}
