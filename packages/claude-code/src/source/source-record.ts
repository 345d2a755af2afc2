import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import type { RecordHead } from "./record-head.js"

/** Where a record stands in its file. */
export interface RecordRange {
  /** From 1. */
  readonly line: number
  /** Position among the records of its line, from 0: some lines hold two that were glued together. */
  readonly part: number
  /** Bytes from the start of the file. */
  readonly offset: number
  /** Bytes. */
  readonly length: number
  /** The uuid of the line that a fork made it from, if it is the first that names that. */
  readonly origin?: string | undefined
}

/** Reads bytes of the file. */
export type BytesAt = (offset: number, length: number) => Uint8Array

/** The folder and the branch of git that a record was written in. Records of one place have the same object. */
export interface RecordPlace {
  readonly cwd: string
  readonly gitBranch: string | undefined
}

/**
 * A record of a file, or a line that holds none. All have the same fields in the same order: with 100,000 of them, that takes a third of the time
 * that copies of their heads take.
 */
export class SourceRecord implements RecordHead, RecordRange {
  readonly line: number
  readonly part: number
  readonly offset: number
  readonly length: number
  /** The record itself, or where to read it again. */
  readonly #source: Json | BytesAt
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
  readonly kind: RecordHead["kind"]
  readonly role: RecordHead["role"]
  readonly usage: RecordHead["usage"]
  readonly sideUsages: RecordHead["sideUsages"]
  /** Completed where another line of the same message names its request. */
  key: RecordHead["key"]
  readonly message: RecordHead["message"]
  readonly model: RecordHead["model"]
  readonly calls: RecordHead["calls"]
  readonly hasStopped: RecordHead["hasStopped"]
  readonly isApiError: RecordHead["isApiError"]
  readonly answers: RecordHead["answers"]
  readonly hasRest: RecordHead["hasRest"]
  readonly caller: RecordHead["caller"]
  readonly agentId: RecordHead["agentId"]
  readonly text: RecordHead["text"]
  readonly promptKind: RecordHead["promptKind"]
  readonly isRendered: RecordHead["isRendered"]
  readonly boundary: RecordHead["boundary"]
  readonly title: RecordHead["title"]
  readonly pin: RecordHead["pin"]
  readonly damaged: RecordHead["damaged"]
  readonly targets: RecordHead["targets"]

  constructor(range: RecordRange, head: RecordHead, value: Json, place?: RecordPlace, bytesAt?: BytesAt) {
    this.line = range.line
    this.part = range.part
    this.offset = range.offset
    this.length = range.length
    this.#source = bytesAt ?? value
    this.uuid = textIn(value, "uuid")
    this.id = range.origin ?? this.uuid ?? placeId(range)
    this.parent = textIn(value, "parentUuid")
    this.time = textIn(value, "timestamp")
    this.millis = millisOf(this.time)
    this.isSidechain = value.isSidechain === true
    this.place = place
    this.kind = head.kind
    this.role = head.role
    this.usage = head.usage
    this.sideUsages = head.sideUsages
    this.key = head.key
    this.message = head.message
    this.model = head.model
    this.calls = head.calls
    this.hasStopped = head.hasStopped
    this.isApiError = head.isApiError
    this.answers = head.answers
    this.hasRest = head.hasRest
    this.caller = head.caller
    this.agentId = head.agentId
    this.text = head.text
    this.promptKind = head.promptKind
    this.isRendered = head.isRendered
    this.boundary = head.boundary
    this.title = head.title
    this.pin = head.pin
    this.damaged = head.damaged
    this.targets = head.targets
  }

  /** The record as it is in the file, which is read and parsed again each time, where it was not kept. */
  get value(): Json {
    const source = this.#source
    return typeof source === "function" ? JSON.parse(decoder.decode(source(this.offset, this.length))) : source
  }
}

/** Bytes that are not UTF-8 become U+FFFD. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** The id of what hangs on the place of a record. */
export function placeId({ line, part }: Pick<RecordRange, "line" | "part">): string {
  return part === 0 ? `line:${line}` : `line:${line}:${part}`
}

/** The milliseconds since 1970 of a time in the form that `toISOString` gives again; NaN of any other text. */
function millisOf(time: string | undefined): number {
  const millis = time === undefined ? Number.NaN : Date.parse(time)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === time ? millis : Number.NaN
}

/** What a record says, to compare it with others. */
export function contentOf({ value }: SourceRecord): string {
  return JSON.stringify(messageOf(value).content ?? value.attachment ?? value)
}

export function messageOf(value: Json): Json {
  return objectIn(value, "message") ?? {}
}
