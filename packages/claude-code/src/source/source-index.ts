import type { Diagnostic } from "@treelog/session-core"
import { type Line, LineSplitter, type LogRecord, parseLine, type RecordForm } from "@treelog/session-core/adapter"
import type { JsonObject } from "../json-values.js"
import { isJsonObject, stringOf } from "../json-values.js"
import { BLOCK, type ByteSource } from "./byte-source.js"
import { headOf } from "./record-head.js"
import type { LineFault, RecordPlace, SourceRecord } from "./source-record.js"

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
  blankLines = 0
  /** Whether the last line has no line end and holds no record: it is being written, or was cut off. */
  isTorn = false
  /** Metadata for the header, from the first record that has it. */
  first: FirstValues = {}
  #lastPlace = -1
  readonly #placeNumbers = new Map<string, number>()
  readonly #texts = new Map<string, string>()
  #lastKey = ""
  /** What the last line added, when it had no line end: it is removed before more is read. */
  #provisional: { records: number; faults: number; first: FirstValues } | undefined
  /** Where the next line begins. */
  #next = { line: 1, offset: 0 }

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
    else
      this.records.push({
        ...placeOf(line),
        kind: UNREADABLE,
        role: "damaged",
        uuid: undefined,
        parent: undefined,
        time: undefined,
        isSidechain: false,
        place: -1,
      })
  }

  #addRecord({ value, place }: LogRecord, part: number): void {
    const head = headOf(value, place.length)
    this.#note(value)
    // All fields in one order: records of one shape take less memory and time.
    this.records.push({
      line: place.line,
      part,
      offset: place.offset,
      length: place.length,
      kind: this.#shared(head.kind),
      role: head.role,
      uuid: stringOf(value.uuid),
      parent: this.#recent(stringOf(value.parentUuid)),
      time: stringOf(value.timestamp),
      isSidechain: value.isSidechain === true,
      place: this.#placeOf(value),
      usage: this.#withShared(head.usage),
      reply: this.#withShared(head.reply),
      result: head.result,
      boundary: head.boundary,
      title: head.title,
      leaf: head.leaf,
      text: head.text,
      targets: head.targets,
      isInterruption: head.isInterruption,
    })
  }

  /** The uuid of a record shortly before, which is the usual parent: one string instead of two equal ones. */
  #recent(parent: string | undefined): string | undefined {
    for (let at = this.records.length - 1; at >= 0 && at >= this.records.length - 8; at--)
      if (this.records[at]?.uuid === parent) return this.records[at]?.uuid
    return parent
  }

  /** The same for keys of replies, which several lines repeat, and for models. */
  #withShared<Head extends { readonly key: string; readonly model: string | undefined }>(
    head: Head | undefined,
  ): Head | undefined {
    if (!head) return undefined
    if (head.key !== this.#lastKey) this.#lastKey = head.key
    return { ...head, key: this.#lastKey, model: head.model === undefined ? undefined : this.#shared(head.model) }
  }

  /** One string instead of many equal ones. For few different texts. */
  #shared(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  #note(value: JsonObject): void {
    const { first } = this
    first.version ??= stringOf(value.version)
    first.gitBranch ??= stringOf(value.gitBranch)
    first.cwd ??= stringOf(value.cwd)
    first.time ??= stringOf(value.timestamp)
    first.sessionId ??= stringOf(value.sessionId)
    first.forkedFrom ??= isJsonObject(value.forkedFrom) ? stringOf(value.forkedFrom.sessionId) : undefined
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

function placeOf(line: Line): { line: number; part: number; offset: number; length: number } {
  return { line: line.number, part: 0, offset: line.offset, length: line.tooLong ?? line.bytes.length }
}
