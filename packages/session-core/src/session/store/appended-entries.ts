import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import type { Line, Place } from "../../log/line.js"
import { type LogRecord, parseLine } from "../../log/parse-line.js"
import { lostRecord } from "../../log/session-log.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import { addRecord } from "../load-state.js"
import type { SessionState } from "../session-state.js"

/** Takes what others append to a session into its state, and tells those who watch. */
export class AppendedEntries {
  readonly #state: SessionState
  /** Entries whose lines are damaged behind their heads: they are links once another entry follows them, torn ones once it names them. */
  #lost: LogRecord[] = []
  readonly #watchers = new Set<SessionEntry[]>()

  constructor(state: SessionState) {
    this.#state = state
  }

  /** Adds the entries of others that stand on the lines, and returns them. */
  absorb(lines: readonly Line[]): SessionEntry[] {
    const added: SessionEntry[] = []
    for (const line of lines) {
      const { records, faults, lost } = parseLine(line)
      for (const fault of faults) this.#state.report(fault)
      if (lost) this.#lost.push(lostRecord(lost, line))
      for (const record of records) {
        if (record.value.type === "session") {
          this.#reportHeader(record.place)
          continue
        }
        if (this.#isOwn(record)) continue
        this.#linkLost(record.value.parentId)
        const entry = addRecord(this.#state, record, true)
        if (entry) added.push(entry)
      }
    }
    for (const waiting of this.#watchers) waiting.push(...added)
    return added
  }

  #linkLost(parentId: unknown): void {
    const isLink = ({ lost, value }: LogRecord): boolean => lost === "damaged" || value.id === parentId
    for (const record of this.#lost) if (isLink(record)) addRecord(this.#state, record, true)
    this.#lost = this.#lost.filter((record) => !isLink(record))
  }

  /** An entry of this session that had no line yet: this is it. */
  #isOwn({ value, place }: LogRecord): boolean {
    const entry = typeof value.id === "string" ? this.#state.unplacedEntry(value.id) : undefined
    if (!entry) return false
    this.#state.placed(entry, { place, verbatim: true })
    return true
  }

  #reportHeader({ line, offset }: Place): void {
    const message = `Line ${line} is a session header that was appended; it is kept, and ignored.`
    this.#state.report({ kind: "extra-header", line, offset, message })
  }

  /** Yields what is absorbed from now on; `refresh` is called whenever the storage says that something may have changed. */
  async *watch(
    storage: SessionStorage,
    key: string,
    signal: AbortSignal,
    refresh: () => Promise<unknown>,
  ): AsyncGenerator<SessionEntry> {
    if (!storage.watch) {
      const message = "This storage cannot tell when a session changes; call refresh() instead."
      throw new TreelogError("StorageError", message, { key, operation: "watch", errno: undefined })
    }
    const waiting: SessionEntry[] = []
    this.#watchers.add(waiting)
    const ticks = storage.watch(key, signal)[Symbol.asyncIterator]()
    try {
      // Asked for before the first look, so that nothing falls between the two.
      let tick = ticks.next()
      for (;;) {
        await refresh()
        while (waiting.length > 0) yield* waiting.splice(0)
        if ((await tick).done) return
        tick = ticks.next()
      }
    } finally {
      this.#watchers.delete(waiting)
      await ticks.return?.()
    }
  }
}
