import { type JsonObject, stringOf } from "../json-values.js"
import type { IdTable } from "./id-table.js"
import type { PromptKind } from "./prompt-text.js"
import type { RareHead, RecordRole, ResponseUsage } from "./record-facts.js"
import type { RecordHead } from "./record-head.js"

/** The id of an entry: a text, or the record whose uuid it is, its place where it has none. A text takes more memory than a record. */
export type EntryId = SourceRecord | string

export function entryIdText(id: EntryId): string {
  return typeof id === "string" ? id : (id.uuid ?? placeId(id))
}

/** The id of what hangs on the place of a record. */
export function placeId({ line, part }: SourceRecord): string {
  return part === 0 ? `line:${line}` : `line:${line}:${part}`
}

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
}

const NO_RARE: RareHead = {}
const NONE: readonly never[] = []

/** What linking and ordering need of a record. The rest is read again when its entry is made. */
export class SourceRecord implements RecordRange {
  readonly line: number
  readonly part: number
  readonly offset: number
  readonly length: number
  /** Such as `user` or `progress:hook_progress`. */
  readonly kind: string
  readonly role: RecordRole
  readonly uuid: string | undefined
  /** In the table of ids; 0 where the record has none. The same holds for other numbers of ids. */
  readonly uuidNumber: number
  readonly parentNumber: number
  /** As it is in the file. */
  readonly time: string | undefined
  /** Milliseconds since 1970; NaN where it has no time in the usual form. */
  readonly millis: number
  readonly isSidechain: boolean
  /** An index of `SourceIndex.places`; -1 where the record names no folder. */
  readonly place: number
  /** Of a reply, or of one that a progress line of a sub-agent holds: the lines of one reply have the same. */
  readonly keyNumber: number
  /** Of a reply. Undefined for `<synthetic>`. */
  readonly model: string | undefined
  /** Of a reply: whether it says why it stopped. */
  readonly hasStopped: boolean
  /** Of replies and nested replies of sub-agents; never of what the client made itself. */
  readonly usage: ResponseUsage | undefined
  /** Of a line of results: the uuid of the line of the reply that made the call. */
  readonly callerNumber: number
  /** Of a line of results: whether it has other blocks. */
  readonly hasRest: boolean
  readonly promptKind: PromptKind
  /** Of a prompt, also one that waited: its text in a short form to compare it. */
  readonly textNumber: number
  readonly rare: RareHead
  /** The calls of a reply, or those that a line of results answers: 0 where a block names none. */
  readonly #calls: readonly number[]
  /** Of a reply. */
  readonly #tools: readonly string[]

  /** @param ids those of the session and of its sub-agents, which share keys */
  constructor(range: RecordRange, head: RecordHead, value: JsonObject, place: number, ids: IdTable) {
    const { role, reply, result, usage, text, promptKind } = head
    this.line = range.line
    this.part = range.part
    this.offset = range.offset
    this.length = range.length
    this.kind = head.kind
    this.role = role
    this.uuid = stringOf(value.uuid)
    this.uuidNumber = ids.numberOf(this.uuid)
    this.parentNumber = ids.numberOf(stringOf(value.parentUuid))
    this.time = stringOf(value.timestamp)
    this.millis = millisOf(this.time)
    this.isSidechain = value.isSidechain === true
    this.place = place
    this.keyNumber = ids.numberOf((reply ?? usage)?.key || undefined)
    this.model = (reply ?? usage)?.model
    this.hasStopped = reply?.stopReason !== undefined
    this.usage = usage
    this.callerNumber = ids.numberOf(result?.caller)
    this.hasRest = result?.hasRest === true
    this.promptKind = promptKind
    this.textNumber = role === "prompt" || role === "queued" ? ids.numberOf(text) : 0
    this.rare = rareOf(head)
    this.#calls = result ? result.calls.map((id) => ids.numberOf(id)) : numbersOf(reply, ids)
    this.#tools = reply && reply.calls.length > 0 ? reply.calls.map(({ name }) => name) : NONE
  }

  get hasTime(): boolean {
    return this.time !== undefined
  }

  /** Whether both have a time, and the same. */
  hasTimeOf(other: SourceRecord): boolean {
    return this.time !== undefined && this.time === other.time
  }

  get hasUsage(): boolean {
    return this.usage !== undefined
  }

  /** Output tokens of the usage; -1 where there is none. */
  get output(): number {
    return this.usage?.output ?? -1
  }

  /** How many calls a reply has, or how many blocks of a line of results answer one. */
  get callCount(): number {
    return this.#calls.length
  }

  /** The number of a call of a reply, or of the one that a block answers: 0 where it names none. */
  callAt(order: number): number {
    return this.#calls[order] ?? 0
  }

  /** Of a reply. */
  callNameAt(order: number): string {
    return this.#tools[order] ?? ""
  }
}

function numbersOf(reply: RecordHead["reply"], ids: IdTable): readonly number[] {
  return reply && reply.calls.length > 0 ? reply.calls.map(({ id }) => ids.numberOf(id)) : NONE
}

function rareOf(head: RecordHead): RareHead {
  const { boundary, title, pin, targets, sideUsages, isApiError, isRendered, agentId, keptResults, role } = head
  const text = role === "tag" ? head.text : undefined
  const rare = { boundary, title, pin, targets, sideUsages, isApiError, isRendered, agentId, keptResults, text }
  return Object.values(rare).some((value) => value !== undefined) ? rare : NO_RARE
}

/** The milliseconds since 1970 of a time in the form that `toISOString` gives again; NaN of any other text. */
function millisOf(time: string | undefined): number {
  const millis = time === undefined ? Number.NaN : Date.parse(time)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === time ? millis : Number.NaN
}
