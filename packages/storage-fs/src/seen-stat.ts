import type { StorageStat } from "@treelog/session-core/adapter"
import { type FileMarks, storedStat } from "@treelog-internal/fs"

/** What is written within one tick of the system's clock has one time. Milliseconds. */
const TICK = 20
/** The tick of a file system whose times have no fractions of milliseconds: some file systems count in steps of two seconds. */
const COARSE_TICK = 2_000
/** A time that lies so far ahead was set by a program, not by a write. Milliseconds. */
const CHOSEN = 24 * 60 * 60 * 1000

/** A stat that a listing returned, with when the file was so: the summary that is put later names it. */
export class SeenStat implements StorageStat {
  readonly size: number
  readonly modified: number
  readonly identity: string
  readonly #at: number

  /** @param at when the file was so. Milliseconds since 1970. */
  constructor(marks: FileMarks, at: number) {
    const { size, modified, identity } = storedStat(marks)
    this.size = size
    this.modified = modified
    this.identity = identity
    this.#at = at
  }

  /** The file had been left alone for so long that a later change cannot have the same time. */
  get isSettled(): boolean {
    const left = this.#at - this.modified
    // A time that lies ahead is that of a clock which goes before ours, unless it is far off.
    return left > (Number.isInteger(this.modified) ? COARSE_TICK : TICK) || left < -CHOSEN
  }
}
