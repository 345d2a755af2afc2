import { type RowPrompts, rowPrompts, type SessionRow } from "./session-row.js"
import type { Progress } from "./sessions-state.js"

/** Sessions that are read at a time: enough to keep a disk busy while the user types. */
const READERS = 4

type Read = (path: string) => Promise<readonly string[]>
type Take = (read: ReadonlyMap<string, RowPrompts>, progress: Progress["prompts"]) => void

/** Reads the prompts of sessions in the background, each once, in the order in which they are wanted. */
export class PromptReading {
  readonly #read: Read
  readonly #found: Batches<readonly [string, RowPrompts]>
  readonly #wanted = new Set<string>()
  #queue: string[] = []
  readonly #readers = new Set<Promise<void>>()
  #done = 0
  #failed = 0

  /** @param take gets prompts by path, some at a time, and how far it is */
  constructor(read: Read, take: Take) {
    this.#read = read
    this.#found = new Batches((found) => take(new Map(found), this.#progress()))
  }

  /** Reads these too, before others that wait. */
  want(rows: readonly SessionRow[]): void {
    const fresh = rows.flatMap(({ info }) => (this.#wanted.has(info.path) ? [] : info.path))
    for (const path of fresh) this.#wanted.add(path)
    this.#queue = [...fresh, ...this.#queue]
    while (this.#queue.length > 0 && this.#readers.size < READERS) {
      const reader = this.#readOn().finally(() => this.#readers.delete(reader))
      this.#readers.add(reader)
    }
  }

  /** Resolves when nothing is read any more. */
  async stop(): Promise<void> {
    this.#queue = []
    await Promise.all(this.#readers)
  }

  #progress(): Progress["prompts"] {
    return { read: this.#done, of: this.#wanted.size, failed: this.#failed }
  }

  async #readOn(): Promise<void> {
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      const [result] = await Promise.allSettled([this.#read(path)])
      this.#done += 1
      if (result.status === "rejected") this.#failed += 1
      this.#found.add([path, rowPrompts(result.status === "fulfilled" ? result.value : [])])
    }
    this.#found.flush()
  }
}

/** The time between two batches, in milliseconds: a screen that changes more often is unreadable. */
const WAIT_MS = 100
/** The largest share of the time that handling batches may take. */
const SHARE = 0.2

/** Collects items and passes them on in batches; the first item at once. */
export class Batches<Item> {
  readonly #take: (items: readonly Item[]) => void
  #waiting: Item[] = []
  #timer: NodeJS.Timeout | undefined
  /** Not before this time of `performance.now()`. */
  #next = 0

  constructor(take: (items: readonly Item[]) => void) {
    this.#take = take
  }

  add(item: Item): void {
    this.#waiting.push(item)
    if (this.#timer) return
    const wait = this.#next - performance.now()
    if (wait <= 0) this.flush()
    else this.#timer = setTimeout(() => this.flush(), wait)
  }

  /** Hands on what waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const items = this.#waiting
    this.#waiting = []
    const began = performance.now()
    this.#take(items)
    const ended = performance.now()
    this.#next = ended + Math.max(WAIT_MS, (ended - began) / SHARE)
  }
}
