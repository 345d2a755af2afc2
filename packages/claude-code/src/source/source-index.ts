import type { Diagnostic } from "@treelog/session-core"
import {
  type Line,
  type LogRecord,
  linesOf,
  type ParsedLine,
  parseLine,
  type RecordForm,
} from "@treelog/session-core/adapter"
import { damagedData, isObject, type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { headOf, type RecordHead } from "./record-head.js"
import { type BytesAt, decoder, type RecordPlace, SourceRecord } from "./source-record.js"

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

/** Faults of the lines of a source. */
export interface LineFault {
  /** The record count when it was found: faults behind a cut are not reported yet. */
  readonly at: number
  readonly diagnostic: Diagnostic
}

/** The records of a file, in file order. */
export class SourceIndex {
  readonly records: SourceRecord[] = []
  readonly faults: LineFault[] = []
  /** The requests that the file has: what all of them share, what they go on from, and themselves. */
  readonly requests = new Set<string>()
  readonly #shapes = new Set<unknown>()
  blankLines = 0
  /** Whether the last line has no line end and holds no record: it is being written, or was cut off. */
  isTorn = false
  /** Metadata for the header, from the first record that has it. */
  readonly first: FirstValues = {}
  readonly #places = new Map<string, RecordPlace>()
  readonly #origins = new Set<string>()

  readonly #bytesAt: BytesAt | undefined

  /** @param bytesAt reads records again when they are needed; undefined keeps them */
  constructor(lines: Iterable<Line> = [], bytesAt?: BytesAt) {
    this.#bytesAt = bytesAt
    for (const line of lines) this.add(line)
  }

  static of(bytes: Uint8Array): SourceIndex {
    return new SourceIndex(linesOf(bytes), (offset, length) => bytes.subarray(offset, offset + length))
  }

  /** @returns the records that the line holds @param parsed what it holds, where that is known */
  add(line: Line, { records, faults }: ParsedLine = parseLine(line, CLAUDE_RECORDS)): readonly SourceRecord[] {
    for (const diagnostic of faults) this.faults.push({ at: this.records.length, diagnostic })
    const added = records.map((record, part) => this.#addRecord(record, part))
    if (records.length > 0) return added
    if (faults.length === 0) this.blankLines += line.terminated ? 1 : 0
    else if (line.terminated) this.#addDamaged(line)
    else this.isTorn = true
    return added
  }

  #addDamaged(line: Line): void {
    const damaged = damagedData(line.tooLong ?? line.bytes.length, () => decoder.decode(line.bytes))
    const range = { line: line.number, part: 0, offset: line.offset, length: line.bytes.length }
    const head: RecordHead = { kind: UNREADABLE, role: "damaged", damaged }
    this.records.push(new SourceRecord(range, head, {}))
  }

  #addRecord({ value, place }: LogRecord, part: number): SourceRecord {
    const { line, offset, length } = place
    if (!CLAUDE_RECORDS.isRecord(value)) {
      const message = `Line ${line} is no record of Claude Code: it has no type.`
      this.faults.push({ at: this.records.length, diagnostic: { kind: "not-an-entry", line, offset, message } })
    }
    this.#note(value)
    const range = { line, part, offset, length, origin: this.#originOf(value) }
    const record = new SourceRecord(range, headOf(value, length), value, this.#placeOf(value), this.#bytesAt)
    this.records.push(record)
    return record
  }

  /** Where several lines name the same, it is not the one that each was made from. */
  #originOf({ forkedFrom }: Json): string | undefined {
    const origin = isObject(forkedFrom) ? textIn(forkedFrom, "messageUuid") : undefined
    if (origin === undefined || this.#origins.has(origin)) return undefined
    this.#origins.add(origin)
    return origin
  }

  #note(value: Json): void {
    const { first } = this
    first.version ??= textIn(value, "version")
    first.gitBranch ??= textIn(value, "gitBranch")
    first.cwd ??= textIn(value, "cwd")
    first.time ??= textIn(value, "timestamp")
    first.sessionId ??= textIn(value, "sessionId")
    if (value.isSidechain !== true) {
      first.entrypoint ??= textIn(value, "entrypoint")
      first.sessionKind ??= textIn(value, "sessionKind")
    }
    first.forkedFrom ??= textIn(objectIn(value, "forkedFrom") ?? {}, "sessionId")
    if (value.type === "api-request-shape") this.#shapes.add(value.shapeHash)
    else if (value.type === "api-request") this.#noteRequest(value)
  }

  #noteRequest({ id, shapeHash, base }: Json): void {
    const isWhole = this.#shapes.has(shapeHash) && (base === undefined || this.requests.has(String(base)))
    if (typeof id === "string" && isWhole) this.requests.add(id)
  }

  #placeOf(value: Json): RecordPlace | undefined {
    const cwd = textIn(value, "cwd")
    if (cwd === undefined) return undefined
    const gitBranch = textIn(value, "gitBranch")
    const key = `${cwd}\0${gitBranch ?? ""}`
    const place = this.#places.get(key) ?? { cwd, gitBranch }
    this.#places.set(key, place)
    return place
  }
}

/** Whether a program had a session, and not a person: Claude Code does not list those. */
export function isOfProgram({ entrypoint, sessionKind }: FirstValues): boolean {
  return entrypoint?.startsWith("sdk-") === true || sessionKind?.startsWith("daemon") === true
}
