import { TreelogError, type TreelogErrorData } from "../../errors.js"
import type { Line } from "../../log/line.js"
import type { LogEnd } from "../../log/session-log.js"
import { splitLines } from "../../log/split-lines.js"
import type { SessionStorage, StorageStat } from "../../ports/session-storage.js"
import { storedChunks } from "./read-stored.js"

/** The end of what was read of a stored session, from which one can go on reading what others append. */
export class StoredTail {
  readonly #storage: SessionStorage
  readonly key: string
  stat: StorageStat
  end: LogEnd

  constructor(storage: SessionStorage, key: string, stat: StorageStat, end: LogEnd) {
    this.#storage = storage
    this.key = key
    this.stat = stat
    this.end = end
  }

  /**
   * Reads the lines that were appended since. A last line without LF is left for the next time, unless `whole` is asked for
   * by one who holds the lease, and so knows that nobody is in the middle of writing it.
   * @throws SessionChangedError when what is stored is another object, gone, or shorter than what was read
   */
  async read({ whole }: { whole: boolean }): Promise<Line[]> {
    const now = await this.#storage.stat(this.key)
    if (!now) throw changed(this.key, "gone")
    if (now.identity !== this.stat.identity) throw changed(this.key, "replaced")
    if (now.size < this.end.size) throw changed(this.key, "shrunk")
    const range = { from: this.end.size, to: now.size, identity: now.identity }
    const lines: Line[] = []
    // A last line without LF was counted already; what follows it begins with the LF that closes it.
    const start = { line: this.end.lines + (this.end.terminated ? 1 : 0), offset: this.end.size }
    for await (const line of splitLines(storedChunks(this.#storage, this.key, range), start)) {
      if (line.terminated || whole) lines.push(line)
    }
    const last = lines.at(-1)
    if (last) this.end = { size: last.end, lines: last.number, terminated: last.terminated }
    // What was left for the next time still counts as not yet seen: a writer must not append to it unread.
    this.stat = { ...now, size: this.end.size }
    return lines
  }

  /** Takes notice of lines that this process appended itself. */
  wrote(stat: StorageStat, lines: number): void {
    this.stat = stat
    this.end = { size: stat.size, lines: this.end.lines + lines, terminated: true }
  }
}

const WHAT_CHANGED = {
  gone: "was removed",
  replaced: "was replaced by another file",
  shrunk: "is shorter than it was",
  grown: "grew while it was written",
} as const

export function changed(
  key: string,
  change: TreelogErrorData["SessionChangedError"]["change"],
): TreelogError<"SessionChangedError"> {
  const message = `${key} ${WHAT_CHANGED[change]} since it was read. Nothing was written to it; open it again.`
  return new TreelogError("SessionChangedError", message, { key, change })
}
