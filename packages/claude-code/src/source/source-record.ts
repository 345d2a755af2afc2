import type { PromptKind } from "./prompt-text.js"
import type { RareHead, RecordRole, ResponseUsage } from "./record-facts.js"
import type { RecordTable } from "./record-table.js"

/** The id of an entry: a text, or the record whose uuid it is, its place where it has none. A text takes more memory than a record. */
export type EntryId = SourceRecord | string

export function entryIdText(id: EntryId): string {
  return typeof id === "string" ? id : (id.uuid ?? placeId(id))
}

/** The id of what hangs on the place of a record. */
export function placeId({ line, part }: SourceRecord): string {
  return part === 0 ? `line:${line}` : `line:${line}:${part}`
}

/** What linking and ordering need of a record. The rest is read again when its entry is made. It is a row of a table. */
export class SourceRecord {
  readonly table: RecordTable
  readonly row: number

  constructor(table: RecordTable, row: number) {
    this.table = table
    this.row = row
  }

  /** From 1. */
  get line(): number {
    return this.table.lineOf(this.row)
  }

  /** Position among the records of its line, from 0: some lines hold two that were glued together. */
  get part(): number {
    return this.table.partOf(this.row)
  }

  /** Bytes from the start of the file. */
  get offset(): number {
    return this.table.offsetOf(this.row)
  }

  /** Bytes. */
  get length(): number {
    return this.table.lengthOf(this.row)
  }

  /** Such as `user` or `progress:hook_progress`. */
  get kind(): string {
    return this.table.kindOf(this.row)
  }

  get role(): RecordRole {
    return this.table.roleOf(this.row)
  }

  get uuid(): string | undefined {
    return this.table.ids.textOf(this.uuidNumber)
  }

  /** In the table of ids; 0 where the record has none. The same holds for other numbers of ids. */
  get uuidNumber(): number {
    return this.table.uuidOf(this.row)
  }

  get parentNumber(): number {
    return this.table.parentOf(this.row)
  }

  /** As it is in the file. */
  get time(): string | undefined {
    return this.table.timeOf(this.row)
  }

  /** Milliseconds since 1970; NaN where it has no time in the usual form. */
  get millis(): number {
    return this.table.millisOf(this.row)
  }

  get hasTime(): boolean {
    return this.table.hasTime(this.row)
  }

  /** Whether both have a time, and the same. */
  hasTimeOf(other: SourceRecord): boolean {
    return this.table.hasSameTime(this.row, other.row)
  }

  get isSidechain(): boolean {
    return this.table.isSidechain(this.row)
  }

  /** An index of `SourceIndex.places`; -1 where the record names no folder. */
  get place(): number {
    return this.table.placeOf(this.row)
  }

  /** Of a reply, or of one that a progress line of a sub-agent holds: the lines of one reply have the same. */
  get keyNumber(): number {
    return this.table.keyOf(this.row)
  }

  /** Of a reply. Undefined for `<synthetic>`. */
  get model(): string | undefined {
    return this.table.modelOf(this.row)
  }

  /** Of a reply: whether it says why it stopped. */
  get hasStopped(): boolean {
    return this.table.hasStopped(this.row)
  }

  /** Of replies and nested replies of sub-agents; never of what the client made itself. */
  get hasUsage(): boolean {
    return this.table.hasUsage(this.row)
  }

  get usage(): ResponseUsage | undefined {
    return this.table.usageOf(this.row)
  }

  /** Output tokens of the usage; -1 where there is none. */
  get output(): number {
    return this.table.outputOf(this.row)
  }

  /** How many calls a reply has, or how many blocks of a line of results answer one. */
  get callCount(): number {
    return this.table.callCountOf(this.row)
  }

  /** The number of a call of a reply, or of the one that a block answers: 0 where it names none. */
  callAt(order: number): number {
    return this.table.callOf(this.row, order)
  }

  /** Of a reply. */
  callNameAt(order: number): string {
    return this.table.callNameOf(this.row, order)
  }

  /** Of a line of results: the uuid of the line of the reply that made the call. */
  get callerNumber(): number {
    return this.table.callerOf(this.row)
  }

  /** Of a line of results: whether it has other blocks. */
  get hasRest(): boolean {
    return this.table.hasRest(this.row)
  }

  /** Of a prompt. */
  get promptKind(): PromptKind {
    return this.table.promptKindOf(this.row)
  }

  /** Of a prompt, also one that waited: its text in a short form to compare it. */
  get textNumber(): number {
    return this.role === "prompt" || this.role === "queued" ? this.table.textOf(this.row) : 0
  }

  get rare(): RareHead {
    return this.table.rareOf(this.row)
  }
}
