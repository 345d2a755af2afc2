import type { JsonObject } from "../json-values.js"
import { stringOf } from "../json-values.js"
import { IdTable } from "./id-table.js"
import { NumberList } from "./number-list.js"
import { type RareHead, type RecordRole, type ResponseUsage, ROLES } from "./record-facts.js"
import type { RecordHead } from "./record-head.js"

/** Where a record stands in its file. */
export interface RecordRange {
  readonly line: number
  readonly part: number
  readonly offset: number
  readonly length: number
}

const NONE: readonly never[] = []
const NO_RARE: RareHead = {}
const ROLE_NUMBERS = /* @__PURE__ */ new Map(ROLES.map((role, number) => [role as RecordRole, number]))

/** Bits of the flags. */
const SIDECHAIN = 1
const STOPPED = 2
const INTERRUPTION = 4
const REST = 8

/**
 * The heads of all records of a file in columns: some 60 bytes for each. Objects would take ten times that, and much of the time of the
 * garbage collector. Ids, keys and texts are numbers of `ids`; kinds, models and names of tools are numbers of `names`.
 */
export class RecordTable {
  readonly ids: IdTable
  readonly names = new IdTable()
  readonly line = new NumberList(Uint32Array)
  readonly part = new NumberList(Uint32Array)
  readonly offset = new NumberList(Float64Array)
  readonly length = new NumberList(Float64Array)
  readonly kind = new NumberList(Int32Array)
  readonly role = new NumberList(Uint8Array)
  readonly uuid = new NumberList(Int32Array)
  readonly parent = new NumberList(Int32Array)
  readonly place = new NumberList(Int32Array)
  readonly key = new NumberList(Int32Array)
  readonly model = new NumberList(Int32Array)
  /** Where the usage begins in the tokens; 0 where there is none. */
  readonly usage = new NumberList(Int32Array)
  /** Of replies and results: where the calls begin in the list of calls, 0 where there are none. Of prompts: the text. */
  readonly detail = new NumberList(Int32Array)
  readonly #flags = new NumberList(Uint8Array)
  /** Milliseconds since 1970; NaN where there is no time, or none that the milliseconds give again. */
  readonly #time = new NumberList(Float64Array)
  readonly #oddTimes = new Map<number, string>()
  readonly #tokens = new NumberList(Float64Array)
  /** Their count, and then each: the number of a call, and of a reply the name; of a result, the caller is first. */
  readonly #calls = new NumberList(Int32Array)
  readonly #rare = new Map<number, RareHead>()

  /** @param ids those of the session and of its sub-agents, which share keys */
  constructor(ids: IdTable) {
    this.ids = ids
    this.#tokens.push(0)
    this.#calls.push(0)
  }

  get size(): number {
    return this.role.length
  }

  /** Removes all rows from this one on. */
  cut(size: number): void {
    for (let row = size; row < this.size; row++) {
      this.#oddTimes.delete(row)
      this.#rare.delete(row)
    }
    for (const column of [this.line, this.part, this.offset, this.length, this.kind, this.role, this.uuid, this.parent])
      column.length = size
    for (const column of [this.place, this.key, this.model, this.usage, this.detail, this.#flags, this.#time])
      column.length = size
  }

  /** @param value of the record; empty of a line that cannot be read */
  add(range: RecordRange, head: RecordHead, value: JsonObject, place: number): void {
    const row = this.size
    this.line.push(range.line)
    this.part.push(range.part)
    this.offset.push(range.offset)
    this.length.push(range.length)
    this.kind.push(this.names.numberOf(head.kind))
    this.uuid.push(this.ids.numberOf(stringOf(value.uuid)))
    this.parent.push(this.ids.numberOf(stringOf(value.parentUuid)))
    this.place.push(place)
    this.key.push(this.ids.numberOf((head.reply?.key ?? head.usage?.key) || undefined))
    this.model.push(this.names.numberOf(head.reply ? head.reply.model : head.usage?.model))
    this.usage.push(this.#addUsage(head.usage))
    this.detail.push(this.#addDetail(head))
    this.#flags.push(flagsOf(head, value))
    this.#addTime(row, stringOf(value.timestamp))
    const { boundary, title, leaf, targets } = head
    const text = head.role === "tag" ? head.text : undefined
    if (boundary || title || leaf !== undefined || targets || text !== undefined)
      this.#rare.set(row, { boundary, title, leaf, targets, text })
    this.role.push(ROLE_NUMBERS.get(head.role) ?? 0)
  }

  timeOf(row: number): string | undefined {
    const millis = this.#time.at(row)
    return Number.isNaN(millis) ? this.#oddTimes.get(row) : new Date(millis).toISOString()
  }

  hasTime(row: number): boolean {
    return !Number.isNaN(this.#time.at(row)) || this.#oddTimes.has(row)
  }

  hasSameTime(a: number, b: number): boolean {
    if (!Number.isNaN(this.#time.at(a))) return this.#time.at(a) === this.#time.at(b)
    const odd = this.#oddTimes.get(a)
    return odd !== undefined && odd === this.#oddTimes.get(b)
  }

  isSidechain(row: number): boolean {
    return (this.#flags.at(row) & SIDECHAIN) !== 0
  }

  hasStopped(row: number): boolean {
    return (this.#flags.at(row) & STOPPED) !== 0
  }

  isInterruption(row: number): boolean {
    return (this.#flags.at(row) & INTERRUPTION) !== 0
  }

  hasRest(row: number): boolean {
    return (this.#flags.at(row) & REST) !== 0
  }

  usageOf(row: number): ResponseUsage | undefined {
    const start = this.usage.at(row)
    if (start === 0) return undefined
    const token = (at: number): number => this.#tokens.at(start + at)
    return {
      key: this.ids.textOf(this.key.at(row)) ?? "",
      model: this.names.textOf(this.model.at(row)) ?? "",
      input: token(0),
      output: token(1),
      cacheRead: token(2),
      cacheWrite: token(3),
    }
  }

  outputOf(row: number): number {
    const start = this.usage.at(row)
    return start === 0 ? -1 : this.#tokens.at(start + 1)
  }

  callsOf(row: number): readonly number[] {
    const [start, step] = this.#callsAt(row)
    if (start === 0) return NONE
    const count = this.#calls.at(start)
    return Array.from({ length: count }, (_, at) => this.#calls.at(start + 1 + at * step))
  }

  callNamesOf(row: number): readonly string[] {
    const [start, step] = this.#callsAt(row)
    if (start === 0 || step === 1) return NONE
    const count = this.#calls.at(start)
    return Array.from({ length: count }, (_, at) => this.names.textOf(this.#calls.at(start + 2 + at * step)) ?? "")
  }

  callerOf(row: number): number {
    const start = this.detail.at(row)
    return ROLES[this.role.at(row)] === "result" && start !== 0 ? this.#calls.at(start) : 0
  }

  rareOf(row: number): RareHead {
    return this.#rare.get(row) ?? NO_RARE
  }

  /** Where the count of a row's calls is, and how many numbers each of them has. */
  #callsAt(row: number): [start: number, step: number] {
    const start = this.detail.at(row)
    const role = ROLES[this.role.at(row)]
    return start === 0 ? [0, 1] : role === "reply" ? [start, 2] : role === "result" ? [start + 1, 1] : [0, 1]
  }

  #addUsage(usage: ResponseUsage | undefined): number {
    if (!usage) return 0
    const start = this.#tokens.length
    this.#tokens.push(usage.input)
    this.#tokens.push(usage.output)
    this.#tokens.push(usage.cacheRead)
    this.#tokens.push(usage.cacheWrite)
    return start
  }

  #addDetail({ role, reply, result, text }: RecordHead): number {
    if (role === "prompt" || role === "queued") return this.ids.numberOf(text)
    const start = this.#calls.length
    if (reply && reply.calls.length > 0) {
      this.#calls.push(reply.calls.length)
      for (const { id, name } of reply.calls) {
        this.#calls.push(this.ids.numberOf(id))
        this.#calls.push(this.names.numberOf(name))
      }
      return start
    }
    if (!result) return 0
    this.#calls.push(this.ids.numberOf(result.caller))
    this.#calls.push(result.calls.length)
    for (const id of result.calls) this.#calls.push(this.ids.numberOf(id))
    return start
  }

  /** Only of a time in the usual form the milliseconds are all. */
  #addTime(row: number, time: string | undefined): void {
    const millis = time === undefined ? Number.NaN : Date.parse(time)
    const isUsual = !Number.isNaN(millis) && new Date(millis).toISOString() === time
    this.#time.push(isUsual ? millis : Number.NaN)
    if (time !== undefined && !isUsual) this.#oddTimes.set(row, time)
  }
}

function flagsOf({ reply, result, isInterruption }: RecordHead, { isSidechain }: JsonObject): number {
  return (
    (isSidechain === true ? SIDECHAIN : 0) |
    (reply?.stopReason !== undefined ? STOPPED : 0) |
    (isInterruption === true ? INTERRUPTION : 0) |
    (result?.hasRest === true ? REST : 0)
  )
}
