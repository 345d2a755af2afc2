import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StoredTail } from "../reader/stored-tail.js"
import type { SessionState } from "../session-state.js"
import { AppendedEntries } from "./appended-entries.js"
import type { SessionStore } from "./session-store.js"
import { Turns } from "./turns.js"

/** The store of a session that was opened for reading: it takes no lease and never writes, but can follow what others append. */
export class ReadingStore implements SessionStore {
  readonly key: string
  readonly pending = 0
  isClosed = false
  readonly #storage: SessionStorage
  readonly #state: SessionState
  readonly #tail: StoredTail
  readonly #appended: AppendedEntries
  readonly #turns = new Turns()
  readonly #refusal: TreelogError
  /** The leaf as the file has it; while the caller has not moved it, it follows. */
  #leafInFile: string | null

  /** @param refusal what every write is answered with */
  constructor(storage: SessionStorage, state: SessionState, tail: StoredTail, refusal?: TreelogError) {
    this.#storage = storage
    this.#state = state
    this.#tail = tail
    this.#appended = new AppendedEntries(state)
    this.#leafInFile = state.leafId
    this.key = tail.key
    this.#refusal = refusal ?? readOnlyError(tail.key)
  }

  get folder(): string {
    return this.#storage.folderOf(this.key)
  }

  get identity(): string {
    return this.#tail.stat.identity
  }

  assertWritable(): void {
    throw this.#refusal
  }

  enqueue(): void {
    throw this.#refusal
  }

  async withExclusiveWrite(): Promise<never> {
    throw this.#refusal
  }

  async flush(): Promise<void> {}

  async retry(): Promise<void> {}

  async saveAs(): Promise<never> {
    throw this.#refusal
  }

  async refresh(): Promise<SessionEntry[]> {
    await this.#absorb()
    return this.#appended.takeNews()
  }

  watch(signal: AbortSignal): AsyncGenerator<SessionEntry> {
    const session = { storage: this.#storage, key: () => this.key, refresh: () => this.#absorb() }
    return this.#appended.watch(session, signal)
  }

  close(): Promise<void> {
    return this.discard()
  }

  async discard(): Promise<void> {
    this.isClosed = true
    this.#appended.endWatches()
  }

  /** One at a time: two that read at once would both add what they find. */
  #absorb(): Promise<void> {
    return this.#turns.run(async () => {
      const added = this.#appended.absorb(await this.#tail.read({ whole: false }))
      if (this.#state.leafId !== this.#leafInFile) return
      for (const entry of added) this.#state.follow(entry)
      this.#leafInFile = this.#state.leafId
    })
  }
}

function readOnlyError(key: string): TreelogError {
  return new TreelogError(
    "ReadOnlySessionError",
    `${key} was opened for reading; open it with another access to write.`,
    { key },
  )
}
