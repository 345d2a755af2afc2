import type { Line } from "../../log/line.js"
import type { LogEnd } from "../../log/session-log.js"
import type { SessionSource, StorageStat } from "../../ports/session-source.js"
import { sessionChanged } from "../../ports/stored-errors.js"
import type { Steps } from "../../steps.js"
import { statStored, storedLinesFrom } from "./read-stored.js"

/** The end of what was read of a stored session, from which one can continue reading what others append. */
export class StoredTail {
  readonly #storage: SessionSource
  readonly key: string
  stat: StorageStat
  end: LogEnd
  /**
   * Where the last line begins, if it was read without its LF. A program without a lease may have been in the middle of writing it: it is
   * read once more with what follows.
   */
  #unfinished: number | undefined

  constructor(storage: SessionSource, key: string, stat: StorageStat, end: LogEnd) {
    this.#storage = storage
    this.key = key
    this.stat = stat
    this.end = end
  }

  /**
   * Reads the lines that were appended since. A last line without LF is left for the next time, unless `whole` is passed
   * by one who holds the lease, and so knows that no write of it is unfinished.
   * @throws SessionChangedError when what is stored is another object, gone, or shorter than what was read
   */
  *read({ whole }: { whole: boolean }): Steps<Line[]> {
    const now = this.#checked(yield* statStored(this.#storage, this.key))
    return this.#advance(yield* storedLinesFrom(this.#storage, this.key, this.#start, now), now, whole)
  }

  /** A last line without LF was counted already. */
  get #start(): { line: number; offset: number } {
    const { terminated, lines, size } = this.end
    return terminated ? { line: lines + 1, offset: size } : { line: lines, offset: this.#unfinished ?? size }
  }

  #checked(now: StorageStat | undefined): StorageStat {
    if (!now) throw sessionChanged(this.key, "gone")
    if (now.identity !== this.stat.identity) throw sessionChanged(this.key, "replaced")
    if (now.size < this.end.size) throw sessionChanged(this.key, "shrunk")
    return now
  }

  #advance(found: readonly Line[], now: StorageStat, whole: boolean): Line[] {
    const lines = found.filter(({ terminated }) => terminated || whole)
    const [first] = lines
    // It was read before, and nothing but its line ending has followed.
    if (first && first.offset === this.#unfinished && contentEnd(first) <= this.end.size) lines.shift()
    const last = lines.at(-1) ?? first
    if (last) {
      this.end = { size: last.end, lines: last.number, terminated: last.terminated }
      this.#unfinished = last.terminated ? undefined : last.offset
    }
    // What was left for the next time still counts as not yet seen: a writer must not append to it unread.
    this.stat = { ...now, size: this.end.size }
    return lines
  }

  /** Takes notice of lines that this process appended itself. */
  wrote(stat: StorageStat, lines: number): void {
    this.stat = stat
    this.end = { size: stat.size, lines: this.end.lines + lines, terminated: true }
    this.#unfinished = undefined
  }
}

function contentEnd({ offset, bytes, tooLong = bytes.length }: Line): number {
  return offset + tooLong
}
