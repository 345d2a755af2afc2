import {
  type IndexChange,
  type IndexedState,
  type IndexTables,
  isSameState,
  type KeptFacts,
} from "@treelog/session-core/search"
import type { IndexFile } from "../open-index.js"
import { TextTokenizer } from "../tokens/text-tokens.js"
import { areKept } from "./kept-values.js"
import { SessionRows } from "./session-rows.js"
import { WordRows } from "./word-rows.js"
import { ChangeWriter, type StoredChange } from "./write-changes.js"

/** So much text waits until it is written in one transaction. UTF-16 units. */
const WAITING = 4 * 1024 * 1024

/**
 * The tables of an update. Changes wait in memory, and many are written in one transaction: if the process is killed, the next update
 * derives them again.
 */
export class SqliteIndexTables implements IndexTables {
  readonly #file: IndexFile
  /** Made for the first change: it takes megabytes. */
  #tokens: { readonly tokenizer: TextTokenizer; readonly words: WordRows } | undefined
  #changes: StoredChange[] = []
  /** The states of sessions in `#changes`; null for a removed one. */
  readonly #states = new Map<string, IndexedState | null>()
  #size = 0

  constructor(file: IndexFile) {
    this.#file = file
  }

  async settledStats(): Promise<Map<string, string>> {
    await this.flush()
    return this.#file.use("read", (connection) => new SessionRows(connection).settledStats())
  }

  async state(key: string): Promise<IndexedState | undefined> {
    const waiting = this.#states.get(key)
    if (waiting !== undefined) return waiting ?? undefined
    return this.#file.use("read", (connection) => new SessionRows(connection).byKey(key)?.state)
  }

  isKept(key: string, facts: readonly KeptFacts[]): Promise<boolean> {
    return this.#file.use("read", (connection) => {
      const session = new SessionRows(connection).byKey(key)?.n
      return session !== undefined && areKept(connection, session, facts)
    })
  }

  async put(change: IndexChange): Promise<boolean> {
    const { key } = change.state.session
    if (!isSameState(await this.state(key), change.former)) return false
    this.#changes.push(change)
    this.#states.set(key, change.state)
    for (const { texts } of change.facts) for (const { text } of texts) this.#size += text.length
    if (this.#size > WAITING) await this.flush()
    return true
  }

  async remove(former: IndexedState): Promise<boolean> {
    const { key } = former.session
    if (!isSameState(await this.state(key), former)) return false
    this.#changes.push({ former })
    this.#states.set(key, null)
    return true
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const changes = this.#changes
    this.#changes = []
    this.#states.clear()
    this.#size = 0
    if (changes.length === 0) return
    this.#tokens ??= tokensOf(new TextTokenizer())
    const { tokenizer, words } = this.#tokens
    await this.#file.use("update", (connection) => {
      try {
        connection.transaction(() => new ChangeWriter(connection, words, tokenizer).write(changes))
      } catch (error) {
        words.forget()
        throw error
      }
    })
  }
}

function tokensOf(tokenizer: TextTokenizer) {
  return { tokenizer, words: new WordRows(tokenizer.known) }
}
