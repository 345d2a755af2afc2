import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import { closedError } from "../session-errors.js"
import type { SessionStore } from "./session-store.js"

/** The store of a session that lives in memory only: nothing is written, and nobody else appends. */
export class InMemoryStore implements SessionStore {
  readonly key = undefined
  readonly folder = undefined
  readonly identity = undefined
  readonly pending = 0
  isClosed = false

  assertWritable(): void {
    if (this.isClosed) throw closedError(undefined)
  }

  enqueue(): void {}

  async withExclusiveWrite<T>(work: () => T): Promise<T> {
    this.assertWritable()
    return work()
  }

  async flush(): Promise<void> {
    this.assertWritable()
  }

  async retry(): Promise<void> {
    this.assertWritable()
  }

  async saveAs(key: string): Promise<never> {
    const message = "A session in memory belongs to no storage, so that it cannot be saved in one."
    throw new TreelogError("InvalidArgumentError", message, { argument: "key", value: key })
  }

  async refresh(): Promise<SessionEntry[]> {
    return []
  }

  async *watch(): AsyncGenerator<SessionEntry> {}

  async close(): Promise<void> {
    this.isClosed = true
  }

  async discard(): Promise<void> {
    this.isClosed = true
  }
}
