import type { Diagnostic } from "@treelog/session-core"
import { type Line, type LogRecord, linesOf, parseLine } from "@treelog/session-core/adapter"
import { damagedData, type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { UNREADABLE } from "./kinds.js"
import { PrintedOutput } from "./printed-output.js"
import { headOf } from "./record-head.js"
import { Requests } from "./requests.js"
import { type BytesAt, decoder, type RecordPlace, type SourceRecord, sourceRecord } from "./source-record.js"

type RecordForm = NonNullable<Parameters<typeof parseLine>[1]>

type ParsedLine = ReturnType<typeof parseLine>

/** Records of Claude Code have a type; not all have a time. */
export const CLAUDE_RECORDS: RecordForm = {
  start: /\{"(?:type|parentUuid)":/g,
  isRecord: ({ type }) => typeof type === "string",
}

const OF_FILE = ["version", "gitBranch", "cwd", "timestamp", "sessionId"] as const
/** What started the client, such as `cli` or `sdk-ts`, and what for, such as `bg` or `daemon`. Side chains have their own. */
const OF_SESSION = ["entrypoint", "sessionKind"] as const

/**
 * The first value of each field in a file; `forkedFrom` is the session that it was forked from, `repository` the folder whose worktree it
 * was in.
 */
type FirstValues = {
  [Field in (typeof OF_FILE | typeof OF_SESSION)[number] | "forkedFrom" | "repository"]?: string | undefined
}

/** The records of a file, in file order. */
export class SourceIndex {
  readonly records: SourceRecord[] = []
  /** Faults of its lines, each with the record count when it was found: those behind a cut are not reported yet. */
  readonly faults: { readonly at: number; readonly diagnostic: Diagnostic }[] = []
  readonly requests = new Requests()
  readonly printed = new PrintedOutput()
  blankLines = 0
  /** Whether the last line has no line end and holds no record: it is being written, or was cut off. */
  isTorn = false
  /** Metadata for the header, from the first record that has it. */
  readonly first: FirstValues = {}
  /** The folder in which it ended, or to which it was moved; empty where no record names one. */
  lastCwd = ""
  /** How many records there were when all was known that is in `first`. */
  firstsKnown = 0
  readonly #places = new Map<string, RecordPlace>()
  readonly #origins = new Set<string>()
  readonly #bytesAt: BytesAt | undefined

  /**
   * @param bytesAt reads records again when they are needed; undefined keeps them
   * @param before what the lines before these said
   */
  constructor(lines: Iterable<Line> = [], bytesAt?: BytesAt, before?: Pick<SourceIndex, "first" | "lastCwd">) {
    this.#bytesAt = bytesAt
    if (before) {
      Object.assign(this.first, before.first)
      this.lastCwd = before.lastCwd
    }
    for (const line of lines) this.add(line)
  }

  static of(bytes: Uint8Array): SourceIndex {
    return new SourceIndex(linesOf(bytes), (offset, length) => bytes.subarray(offset, offset + length))
  }

  /** @returns the records that the line holds @param parsed what it holds, where that is known */
  add(line: Line, { records, faults }: ParsedLine = parseLine(line, CLAUDE_RECORDS)): readonly SourceRecord[] {
    for (const fault of faults) this.#report(fault)
    const added = records.map((record, part) => this.#addRecord(record, part))
    if (records.length > 0) return added
    if (faults.length === 0) this.blankLines += line.terminated ? 1 : 0
    else if (line.terminated) this.records.push(damagedRecord(line))
    else this.isTorn = true
    return added
  }

  #report(diagnostic: Diagnostic): void {
    this.faults.push({ at: this.records.length, diagnostic })
  }

  #addRecord({ value: stored, place }: LogRecord, part: number): SourceRecord {
    const { line, offset } = place
    const value = this.printed.recordOf(stored)
    if (!CLAUDE_RECORDS.isRecord(value)) {
      const message = `Line ${line} is no record of Claude Code: it has no type.`
      this.#report({ kind: "not-an-entry", line, offset, message })
    }
    this.#note(value)
    const head = headOf(value, place.length)
    const [origin, folder] = [this.#originOf(value), this.#placeOf(value)]
    const record = sourceRecord({ ...place, part }, head, value, origin, folder, this.#bytesAt)
    const beyond = this.printed.usagesBeyond(record, value)
    if (beyond) Object.assign(record, { key: record.id, sideUsages: beyond })
    this.records.push(record)
    return record
  }

  /** Where several lines name the same, it is not the one that each was made from. */
  #originOf(value: Json): string | undefined {
    const origin = textIn(objectIn(value, "forkedFrom") ?? {}, "messageUuid")
    if (origin === undefined || this.#origins.has(origin)) return undefined
    this.#origins.add(origin)
    return origin
  }

  #note(value: Json): void {
    // A session that was moved to another folder says so before anything is done there.
    this.lastCwd = textIn(value, "relocatedCwd") ?? this.lastCwd
    for (const name of OF_FILE) this.#noteFirst(name, textIn(value, name))
    if (value.isSidechain !== true) for (const name of OF_SESSION) this.#noteFirst(name, textIn(value, name))
    this.#noteFirst("forkedFrom", textIn(objectIn(value, "forkedFrom") ?? {}, "sessionId"))
    this.#noteFirst("repository", textIn(objectIn(value, "worktreeSession") ?? {}, "originalCwd"))
    this.requests.note(value)
  }

  #noteFirst(name: keyof FirstValues, value: string | undefined): void {
    if (value === undefined || this.first[name] !== undefined) return
    this.first[name] = value
    this.firstsKnown = this.records.length + 1
  }

  #placeOf(value: Json): RecordPlace | undefined {
    const [cwd, gitBranch] = [textIn(value, "cwd"), textIn(value, "gitBranch")]
    if (cwd === undefined) return undefined
    this.lastCwd = cwd
    return this.placeFor({ cwd, gitBranch })
  }

  /** The object of a place that all its records have. */
  placeFor({ cwd, gitBranch }: RecordPlace): RecordPlace {
    const key = `${cwd}\0${gitBranch ?? ""}`
    const place = this.#places.get(key) ?? { cwd, gitBranch }
    this.#places.set(key, place)
    return place
  }
}

function damagedRecord({ number: line, offset, tooLong, bytes }: Line): SourceRecord {
  const damaged = damagedData(tooLong ?? bytes.length, () => decoder.decode(bytes))
  return sourceRecord({ line, part: 0, offset, length: bytes.length }, { kind: UNREADABLE, role: "damaged", damaged })
}

/** Whether a program had a session, and not a person: Claude Code does not list those. */
export function isOfProgram({ entrypoint, sessionKind }: FirstValues): boolean {
  return entrypoint?.startsWith("sdk-") === true || sessionKind?.startsWith("daemon") === true
}
