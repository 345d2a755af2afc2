import type { JsonObject } from "../json-values.js"
import { stringOf } from "../json-values.js"
import { IdTable } from "./id-table.js"
import { NumberList } from "./number-list.js"
import { PROMPT_KINDS, type PromptKind } from "./prompt-text.js"
import { type RareHead, type RecordRole, type ResponseUsage, ROLES } from "./record-facts.js"
import type { RecordHead } from "./record-head.js"

/** Where a record stands in its file. */
export interface RecordRange {
  readonly line: number
  readonly part: number
  readonly offset: number
  readonly length: number
}

const NO_RARE: RareHead = {}
const ROLE_NUMBERS = /* @__PURE__ */ new Map(ROLES.map((role, number) => [role as RecordRole, number]))

/** Bits of the flags. */
const SIDECHAIN = 1
const STOPPED = 2
const REST = 4
/** The kind of a prompt follows. */
const KIND_SHIFT = 3

/** Columns of whole numbers. */
const LINE = 0
const PART = 1
const KIND = 2
const ROLE = 3
const UUID = 4
const PARENT = 5
const PLACE = 6
const KEY = 7
const MODEL = 8
/** Where the usage begins in the tokens; 0 where there is none. */
const USAGE = 9
/** Of replies and results: where the calls begin in the list of calls, 0 where there are none. Of prompts: the text. */
const DETAIL = 10
const FLAGS = 11
const WHOLES = 12

/** Columns of numbers that may be larger. */
const OFFSET = 0
const LENGTH = 1
/** Milliseconds since 1970; NaN where there is no time, or none that the milliseconds give again. */
const TIME = 2
const REALS = 3

/** Rows of one pair of arrays. Arrays that grow would be copied, and be half empty. */
const ROWS_BITS = 11
const ROWS = 1 << ROWS_BITS

/**
 * The heads of all records of a file as rows of numbers: 72 bytes for each. Objects would take ten times that, and much of the time of the
 * garbage collector. Ids, keys and texts are numbers of `ids`; kinds, models and names of tools are numbers of `names`.
 */
export class RecordTable {
  readonly ids: IdTable
  readonly names = new IdTable()
  size = 0
  readonly #wholes: Int32Array[] = []
  readonly #reals: Float64Array[] = []
  /** Of the record that was added last. */
  #lastUuid: unknown
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

  /** Removes all rows from this one on. */
  cut(size: number): void {
    for (let row = size; row < this.size; row++) {
      this.#oddTimes.delete(row)
      this.#rare.delete(row)
    }
    this.size = size
    this.#lastUuid = undefined
  }

  /** @param value of the record; empty of a line that cannot be read */
  add(range: RecordRange, head: RecordHead, value: JsonObject, place: number): void {
    const row = this.size
    if (row >> ROWS_BITS === this.#wholes.length) this.#grow()
    const { ids, names } = this
    const { reply, usage } = head
    const wholes = this.#wholes[row >> ROWS_BITS] as Int32Array
    const at = (row & (ROWS - 1)) * WHOLES
    wholes[at + LINE] = range.line
    wholes[at + PART] = range.part
    wholes[at + KIND] = names.numberOf(head.kind)
    wholes[at + ROLE] = ROLE_NUMBERS.get(head.role) ?? 0
    // Most lines have the one before as their parent.
    const isNext = value.parentUuid !== undefined && value.parentUuid === this.#lastUuid
    wholes[at + PARENT] = isNext ? this.uuidOf(row - 1) : ids.numberOf(stringOf(value.parentUuid))
    wholes[at + UUID] = ids.numberOf(stringOf(value.uuid))
    this.#lastUuid = value.uuid
    wholes[at + PLACE] = place
    wholes[at + KEY] = ids.numberOf((reply ?? usage)?.key || undefined)
    wholes[at + MODEL] = names.numberOf((reply ?? usage)?.model)
    wholes[at + USAGE] = this.#addUsage(usage)
    wholes[at + DETAIL] = this.#addDetail(head)
    wholes[at + FLAGS] = flagsOf(head, value)
    const reals = this.#reals[row >> ROWS_BITS] as Float64Array
    const first = (row & (ROWS - 1)) * REALS
    reals[first + OFFSET] = range.offset
    reals[first + LENGTH] = range.length
    reals[first + TIME] = this.#addTime(row, stringOf(value.timestamp))
    const { boundary, title, pin, targets, sideUsages, isApiError, isRendered, agentId, keptResults } = head
    const text = head.role === "tag" ? head.text : undefined
    const rare = { boundary, title, pin, targets, sideUsages, isApiError, isRendered, agentId, keptResults, text }
    if (Object.values(rare).some((value) => value !== undefined)) this.#rare.set(row, rare)
    this.size += 1
  }

  lineOf(row: number): number {
    return this.#whole(row, LINE)
  }

  partOf(row: number): number {
    return this.#whole(row, PART)
  }

  offsetOf(row: number): number {
    return this.#real(row, OFFSET)
  }

  lengthOf(row: number): number {
    return this.#real(row, LENGTH)
  }

  kindOf(row: number): string {
    return this.names.textOf(this.#whole(row, KIND)) ?? ""
  }

  roleOf(row: number): RecordRole {
    return ROLES[this.#whole(row, ROLE)] ?? "keep"
  }

  uuidOf(row: number): number {
    return this.#whole(row, UUID)
  }

  parentOf(row: number): number {
    return this.#whole(row, PARENT)
  }

  placeOf(row: number): number {
    return this.#whole(row, PLACE)
  }

  keyOf(row: number): number {
    return this.#whole(row, KEY)
  }

  modelOf(row: number): string | undefined {
    return this.names.textOf(this.#whole(row, MODEL))
  }

  /** The number of the text of a prompt. */
  textOf(row: number): number {
    return this.#whole(row, DETAIL)
  }

  /** In the form of the source. */
  timeOf(row: number): string | undefined {
    const millis = this.#real(row, TIME)
    return Number.isNaN(millis) ? this.#oddTimes.get(row) : new Date(millis).toISOString()
  }

  /** Milliseconds since 1970; NaN where it has none in the usual form. */
  millisOf(row: number): number {
    return this.#real(row, TIME)
  }

  hasTime(row: number): boolean {
    return !Number.isNaN(this.#real(row, TIME)) || this.#oddTimes.has(row)
  }

  hasSameTime(a: number, b: number): boolean {
    const millis = this.#real(a, TIME)
    if (!Number.isNaN(millis)) return millis === this.#real(b, TIME)
    const odd = this.#oddTimes.get(a)
    return odd !== undefined && odd === this.#oddTimes.get(b)
  }

  isSidechain(row: number): boolean {
    return (this.#whole(row, FLAGS) & SIDECHAIN) !== 0
  }

  hasStopped(row: number): boolean {
    return (this.#whole(row, FLAGS) & STOPPED) !== 0
  }

  promptKindOf(row: number): PromptKind {
    return PROMPT_KINDS[this.#whole(row, FLAGS) >> KIND_SHIFT] ?? "typed"
  }

  hasRest(row: number): boolean {
    return (this.#whole(row, FLAGS) & REST) !== 0
  }

  usageOf(row: number): ResponseUsage | undefined {
    const start = this.#whole(row, USAGE)
    if (start === 0) return undefined
    const token = (at: number): number => this.#tokens.at(start + at)
    return {
      key: this.ids.textOf(this.keyOf(row)) ?? "",
      model: this.modelOf(row) ?? "",
      input: token(0),
      output: token(1),
      cacheRead: token(2),
      cacheWrite: token(3),
      cacheWrite1h: token(4),
      webSearches: token(5),
      serviceTier: this.names.textOf(token(6)) ?? "",
    }
  }

  hasUsage(row: number): boolean {
    return this.#whole(row, USAGE) !== 0
  }

  outputOf(row: number): number {
    const start = this.#whole(row, USAGE)
    return start === 0 ? -1 : this.#tokens.at(start + 1)
  }

  /** How many calls a reply has, or a line of results answers. */
  callCountOf(row: number): number {
    return this.#calls.at(this.#callsAt(row))
  }

  /** The number of a call; 0 where a block names none. */
  callOf(row: number, order: number): number {
    const step = this.#isReply(row) ? 2 : 1
    return this.#calls.at(this.#callsAt(row) + 1 + order * step)
  }

  /** Of a reply. */
  callNameOf(row: number, order: number): string {
    return this.names.textOf(this.#calls.at(this.#callsAt(row) + 2 + order * 2)) ?? ""
  }

  callerOf(row: number): number {
    const start = this.#whole(row, DETAIL)
    return ROLES[this.#whole(row, ROLE)] === "result" && start !== 0 ? this.#calls.at(start) : 0
  }

  rareOf(row: number): RareHead {
    return this.#rare.get(row) ?? NO_RARE
  }

  #whole(row: number, column: number): number {
    return this.#wholes[row >> ROWS_BITS]?.[(row & (ROWS - 1)) * WHOLES + column] ?? 0
  }

  #real(row: number, column: number): number {
    return this.#reals[row >> ROWS_BITS]?.[(row & (ROWS - 1)) * REALS + column] ?? 0
  }

  #grow(): void {
    this.#wholes.push(new Int32Array(ROWS * WHOLES))
    this.#reals.push(new Float64Array(ROWS * REALS))
  }

  #isReply(row: number): boolean {
    return ROLES[this.#whole(row, ROLE)] === "reply"
  }

  /** Where the count of a row's calls is; 0, where there is a 0, of what has none. */
  #callsAt(row: number): number {
    const start = this.#whole(row, DETAIL)
    const role = ROLES[this.#whole(row, ROLE)]
    return role === "reply" ? start : role === "result" && start !== 0 ? start + 1 : 0
  }

  #addUsage(usage: ResponseUsage | undefined): number {
    if (!usage) return 0
    const start = this.#tokens.length
    this.#tokens.push(usage.input)
    this.#tokens.push(usage.output)
    this.#tokens.push(usage.cacheRead)
    this.#tokens.push(usage.cacheWrite)
    this.#tokens.push(usage.cacheWrite1h ?? 0)
    this.#tokens.push(usage.webSearches ?? 0)
    this.#tokens.push(this.names.numberOf(usage.serviceTier))
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
  #addTime(row: number, time: string | undefined): number {
    const millis = time === undefined ? Number.NaN : millisOf(time)
    if (time !== undefined && Number.isNaN(millis)) this.#oddTimes.set(row, time)
    return millis
  }
}

function flagsOf({ reply, result, promptKind }: RecordHead, { isSidechain }: JsonObject): number {
  return (
    (isSidechain === true ? SIDECHAIN : 0) |
    (reply?.stopReason !== undefined ? STOPPED : 0) |
    (result?.hasRest === true ? REST : 0) |
    (PROMPT_KINDS.indexOf(promptKind) << KIND_SHIFT)
  )
}

/** The milliseconds since 1970 of a time in the form that `toISOString` gives again; NaN of any other text. */
function millisOf(time: string): number {
  const millis = Date.parse(time)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === time ? millis : Number.NaN
}
