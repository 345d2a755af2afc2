import { type RareHead, type RecordRole, type ResponseUsage, ROLES } from "./record-facts.js"
import type { RecordTable } from "./record-table.js"

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
    return this.table.line.at(this.row)
  }

  /** Position among the records of its line, from 0: some lines hold two that were glued together. */
  get part(): number {
    return this.table.part.at(this.row)
  }

  /** Bytes from the start of the file. */
  get offset(): number {
    return this.table.offset.at(this.row)
  }

  /** Bytes. */
  get length(): number {
    return this.table.length.at(this.row)
  }

  /** Such as `user` or `progress:hook_progress`. */
  get kind(): string {
    return this.table.names.textOf(this.table.kind.at(this.row)) ?? ""
  }

  get role(): RecordRole {
    return ROLES[this.table.role.at(this.row)] ?? "keep"
  }

  get uuid(): string | undefined {
    return this.table.ids.textOf(this.uuidNumber)
  }

  /** In the table of ids; 0 where the record has none. The same holds for other numbers of ids. */
  get uuidNumber(): number {
    return this.table.uuid.at(this.row)
  }

  get parentNumber(): number {
    return this.table.parent.at(this.row)
  }

  /** As it is in the file. */
  get time(): string | undefined {
    return this.table.timeOf(this.row)
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
    return this.table.place.at(this.row)
  }

  /** Of a reply, or of one that a progress line of a sub-agent holds: the lines of one reply have the same. */
  get keyNumber(): number {
    return this.table.key.at(this.row)
  }

  /** Of a reply. Undefined for `<synthetic>`. */
  get model(): string | undefined {
    return this.table.names.textOf(this.table.model.at(this.row))
  }

  /** Of a reply: whether it says why it stopped. */
  get hasStopped(): boolean {
    return this.table.hasStopped(this.row)
  }

  /** Of replies and nested replies of sub-agents; never of what the client made itself. */
  get hasUsage(): boolean {
    return this.table.usage.at(this.row) !== 0
  }

  get usage(): ResponseUsage | undefined {
    return this.table.usageOf(this.row)
  }

  /** Output tokens of the usage; -1 where there is none. */
  get output(): number {
    return this.table.outputOf(this.row)
  }

  /** Numbers of the calls of a reply, or of those that the blocks of a line of results answer: 0 where a block names none. */
  get calls(): readonly number[] {
    return this.table.callsOf(this.row)
  }

  /** Of a reply: the names of its calls. */
  get callNames(): readonly string[] {
    return this.table.callNamesOf(this.row)
  }

  /** Of a line of results: the uuid of the line of the reply that made the call. */
  get callerNumber(): number {
    return this.table.callerOf(this.row)
  }

  /** Of a line of results: whether it has other blocks. */
  get hasRest(): boolean {
    return this.table.hasRest(this.row)
  }

  /** Of a prompt: it says that the user interrupted the reply. */
  get isInterruption(): boolean {
    return this.table.isInterruption(this.row)
  }

  /** Of a prompt, also one that waited: its text in a short form to compare it. */
  get textNumber(): number {
    return this.role === "prompt" || this.role === "queued" ? this.table.detail.at(this.row) : 0
  }

  get rare(): RareHead {
    return this.table.rareOf(this.row)
  }
}
