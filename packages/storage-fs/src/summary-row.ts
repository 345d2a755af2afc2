import type { SummaryState } from "@treelog/session-core/adapter"
import type { FileMarks, Row } from "@treelog-internal/fs"

/** The columns of a row: what a list shows, and what reading continues from. */
const [INFO, RESUME] = [0, 1] as const

/** The head of a row: what each list compares and sorts by. What a number cannot hold is text. */
type Head = readonly [
  name: string,
  size: number | string,
  mtimeNs: number | string,
  dev: number | string,
  ino: number | string,
  birthtimeNs: number | string,
  isSettled: boolean,
  version: number,
  modified: number,
  cwd: string | null,
]

/** What is kept of one session. */
export class SummaryRow implements FileMarks, SummaryState {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly dev: bigint
  readonly ino: bigint
  readonly birthtimeNs: bigint
  /** Its file was left alone for long enough that a later change cannot have the same time. */
  readonly isSettled: boolean
  readonly version: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly cwd: string | undefined
  /** The scan that came by it last. */
  scan = 0
  readonly #row: Row

  private constructor(row: Row, [, size, mtimeNs, dev, ino, birthtimeNs, isSettled, version, modified, cwd]: Head) {
    this.#row = row
    this.size = BigInt(size)
    this.mtimeNs = BigInt(mtimeNs)
    this.dev = BigInt(dev)
    this.ino = BigInt(ino)
    this.birthtimeNs = BigInt(birthtimeNs)
    this.isSettled = isSettled
    this.version = version
    this.modified = modified
    this.cwd = cwd ?? undefined
  }

  /** A line has its checksum: what has these columns is of this version. */
  static from(row: Row): SummaryRow {
    return new SummaryRow(row, row.head as Head)
  }

  /** The head of a row, but for the name. */
  static headOf(
    { size, mtimeNs, dev, ino, birthtimeNs }: FileMarks,
    { isSettled, state }: { readonly isSettled: boolean; readonly state: SummaryState },
  ): unknown[] {
    const marks = [size, mtimeNs, dev, ino, birthtimeNs].map((mark) => {
      return Number.isSafeInteger(Number(mark)) ? Number(mark) : String(mark)
    })
    return [...marks, isSettled, state.version, state.modified, state.cwd ?? null]
  }

  get state(): SummaryState {
    return this
  }

  get info(): object {
    return this.#row.value(INFO) as object
  }

  get resume(): object {
    return this.#row.value(RESUME) as object
  }
}
