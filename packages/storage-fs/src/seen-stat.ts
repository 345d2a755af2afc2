import type { StorageStat } from "@treelog/session-core/adapter"
import { type FileMarks, storedStat } from "@treelog-internal/fs"

/**
 * A stat that a listing returned, with what the file was then: the summary that is put later names it. A map of thousands of stats would cost
 * more to collect than the stats.
 */
export class SeenStat implements StorageStat {
  readonly size: number
  readonly modified: number
  readonly identity: string
  readonly #marks: FileMarks
  readonly #at: number

  /** @param at when the file was so. Milliseconds since 1970. */
  constructor(marks: FileMarks, at: number) {
    const { size, modified, identity } = storedStat(marks)
    this.size = size
    this.modified = modified
    this.identity = identity
    this.#marks = marks
    this.#at = at
  }

  get marks(): FileMarks {
    return this.#marks
  }

  get at(): number {
    return this.#at
  }
}
