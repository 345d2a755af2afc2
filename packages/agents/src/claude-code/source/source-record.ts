import type { LogRecord } from "@treelog/session-core/adapter"
import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import type { RecordHead } from "./record-head.js"

type Place = LogRecord["place"]

/** Reads bytes of the file. */
export type BytesAt = (offset: number, length: number) => Uint8Array

/** The folder and the branch of git that a record was written in. Records of one place have the same object. */
export interface RecordPlace {
  readonly cwd: string
  readonly gitBranch: string | undefined
}

/** Where a record stands in its file. */
export interface RecordRange extends Place {
  /** Position among the records of its line, from 0: some lines hold two that were glued together. */
  readonly part: number
}

/** A record of a file, or a line that holds none. */
export interface SourceRecord extends RecordHead, RecordRange {
  readonly uuid: string | undefined
  /** Of its entry: the uuid of the line that a fork made it from, its own, or its place where it has none. */
  readonly id: string
  readonly parent: string | undefined
  /** As it is in the file. */
  readonly time: string | undefined
  /** Milliseconds since 1970; NaN where it has no time in the usual form. */
  readonly millis: number
  readonly isSidechain: boolean
  /** Undefined where the record names no folder. */
  readonly place: RecordPlace | undefined
  /** The record as it is in the file, which is read and parsed again each time, where it was not kept. */
  readonly value: Json
}

/** The record itself, or where to read it again. */
class RecordValue {
  readonly #source: Json | BytesAt
  readonly offset: number
  readonly length: number
  #millis: number | undefined
  readonly time: string | undefined

  constructor(source: Json | BytesAt, { offset, length }: RecordRange, time: string | undefined) {
    this.#source = source
    this.time = time
    this.offset = offset
    this.length = length
  }

  get value(): Json {
    const source = this.#source
    return typeof source === "function" ? JSON.parse(decoder.decode(source(this.offset, this.length))) : source
  }

  /** Made when it is asked for: of most records it is not. */
  get millis(): number {
    this.#millis ??= millisOf(this.time)
    return this.#millis
  }
}

/** @param origin the uuid of the line that a fork made it from, if it is the first that names that */
export function sourceRecord(
  range: RecordRange,
  head: RecordHead,
  value: Json = {},
  origin?: string,
  place?: RecordPlace,
  bytesAt?: BytesAt,
): SourceRecord {
  const { line, part } = range
  const [uuid, time] = [textIn(value, "uuid"), textIn(value, "timestamp")]
  const own = { line, part, uuid, id: origin ?? uuid ?? placeId(range), parent: textIn(value, "parentUuid"), time }
  const more = { isSidechain: value.isSidechain === true, place }
  return Object.assign(new RecordValue(bytesAt ?? value, range, time), own, more, head)
}

/** Bytes that are not UTF-8 become U+FFFD. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** The id of what hangs on the place of a record. */
export function placeId({ line, part }: Pick<RecordRange, "line" | "part">): string {
  return part === 0 ? `line:${line}` : `line:${line}:${part}`
}

/** Whether an id is that of a place: it has the number of a line. */
export function isPlaceId(id: string): boolean {
  return /^line:\d+(?::|$)/.test(id)
}

/** The milliseconds since 1970 of a time in the form that `toISOString` gives again; NaN of any other text. */
function millisOf(time = ""): number {
  const millis = Date.parse(time)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === time ? millis : Number.NaN
}

/** What a record says, to compare it with others. */
export function contentOf({ value }: SourceRecord): string {
  return JSON.stringify(messageOf(value).content ?? value.attachment ?? value)
}

export function messageOf(value: Json): Json {
  return objectIn(value, "message") ?? {}
}
