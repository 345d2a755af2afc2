import type { SummaryState } from "@treelog/session-core/adapter"
import type { FileMarks } from "@treelog-internal/fs"

/** What is kept of one session. */
export interface SummaryRow extends FileMarks {
  /** Its file was left alone for long enough that a later change cannot have the same time. */
  readonly isSettled: boolean
  readonly state: SummaryState
  /** The scan that came by it last. */
  scan: number
}

/** About how many bytes of a cache file a row takes, beside its texts. */
export const ROW_BYTES = 80

// In a cache file: numbers, and where the two texts are. All in the order of the least significant byte first.
const SIZE = 0
const MTIME = 8
const DEV = 16
const INO = 24
const BIRTH = 32
const MODIFIED = 40
const INFO_AT = 48
const INFO_LENGTH = 56
const RESUME_LENGTH = 60
const CWD = 64
const VERSION = 68
const SETTLED = 72

/** The bytes of a cache file behind its heading. */
export interface TableBytes {
  readonly bytes: Buffer
  readonly view: DataView
  /** The folders that its sessions belong to. */
  readonly cwds: readonly (string | undefined)[]
}

/** A row as it stands in a cache file, parsed no sooner than it is asked for. */
export class StoredRow implements SummaryRow, SummaryState {
  scan = 0
  readonly #table: TableBytes
  readonly #at: number
  #isAskedFor = false
  #info: object | undefined

  /** @param at where its numbers begin */
  constructor(table: TableBytes, at: number) {
    this.#table = table
    this.#at = at
  }

  get size(): bigint {
    return this.#table.view.getBigInt64(this.#at + SIZE, true)
  }

  get mtimeNs(): bigint {
    return this.#table.view.getBigInt64(this.#at + MTIME, true)
  }

  get dev(): bigint {
    return this.#table.view.getBigInt64(this.#at + DEV, true)
  }

  get ino(): bigint {
    return this.#table.view.getBigInt64(this.#at + INO, true)
  }

  get birthtimeNs(): bigint {
    return this.#table.view.getBigInt64(this.#at + BIRTH, true)
  }

  get isSettled(): boolean {
    return this.#number(SETTLED) === 1
  }

  get state(): SummaryState {
    return this
  }

  get version(): number {
    return this.#number(VERSION)
  }

  get cwd(): string | undefined {
    return this.#table.cwds[this.#number(CWD)]
  }

  get modified(): number {
    return this.#table.view.getFloat64(this.#at + MODIFIED, true)
  }

  /** Kept from the second time on: who lists again and again is spared the parsing. */
  get info(): object {
    if (this.#info) return this.#info
    const { bytes, view } = this.#table
    const from = view.getFloat64(this.#at + INFO_AT, true)
    const info = parsed(bytes, from, from + view.getUint32(this.#at + INFO_LENGTH, true))
    if (this.#isAskedFor) this.#info = info
    this.#isAskedFor = true
    return info
  }

  get resume(): object {
    return parsed(this.resumeBytes)
  }

  get infoBytes(): Buffer {
    const from = this.#infoAt
    return this.#table.bytes.subarray(from, from + this.#number(INFO_LENGTH))
  }

  get resumeBytes(): Buffer {
    const from = this.#infoAt + this.#number(INFO_LENGTH)
    return this.#table.bytes.subarray(from, from + this.#number(RESUME_LENGTH))
  }

  get #infoAt(): number {
    return this.#table.view.getFloat64(this.#at + INFO_AT, true)
  }

  #number(field: number): number {
    return this.#table.view.getUint32(this.#at + field, true)
  }
}

/** Writes the numbers of a row at a place of the view. */
export function writeRow(
  view: DataView,
  at: number,
  row: SummaryRow,
  texts: { infoAt: number; infoLength: number; resumeLength: number; cwd: number },
): void {
  view.setBigInt64(at + SIZE, row.size, true)
  view.setBigInt64(at + MTIME, row.mtimeNs, true)
  view.setBigInt64(at + DEV, row.dev, true)
  view.setBigInt64(at + INO, row.ino, true)
  view.setBigInt64(at + BIRTH, row.birthtimeNs, true)
  view.setFloat64(at + MODIFIED, row.state.modified, true)
  view.setFloat64(at + INFO_AT, texts.infoAt, true)
  view.setUint32(at + INFO_LENGTH, texts.infoLength, true)
  view.setUint32(at + RESUME_LENGTH, texts.resumeLength, true)
  view.setUint32(at + CWD, texts.cwd, true)
  view.setUint32(at + VERSION, row.state.version, true)
  view.setUint32(at + SETTLED, row.isSettled ? 1 : 0, true)
}

/** Text of ASCII alone is read in half the time. */
export function asciiJson(value: unknown): Buffer {
  const json = JSON.stringify(value)
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  return Buffer.from(ascii, "latin1")
}

export function parsed(ascii: Buffer, from = 0, to = ascii.length): object {
  return JSON.parse(ascii.toString("latin1", from, to)) as object
}
