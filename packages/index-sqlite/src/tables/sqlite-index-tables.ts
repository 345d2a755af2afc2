import { type IndexedState, type IndexTables, isBasedOn, placeOf } from "@treelog/session-core/search"
import type { IndexFile } from "../open-index.js"
import { type SessionPlace, SessionRows } from "./session-rows.js"
import { ChangeWriter, type StoredChange } from "./write-changes.js"

type IndexChange = Parameters<IndexTables["put"]>[0]

/** So much text waits until it is written in one transaction: more takes memory, and saves no time. UTF-16 units. */
const WAITING = 256 * 1024
/** An entry without a text counts as so much. UTF-16 units. */
const ENTRY = 64

/**
 * The tables of an update. Changes wait in memory, and many are written in one transaction: if the process is killed, the next update
 * derives them again.
 */
export class SqliteIndexTables implements IndexTables {
  readonly #file: IndexFile
  /** Made for the first change: it takes megabytes. */
  #writer: ChangeWriter | undefined
  #waiting: StoredChange[] = []
  /** The states of sessions of which changes are not stored yet; null for a removed one. */
  readonly #states = new Map<string, IndexedState | null>()
  #size = 0
  /** Rejected for good by what fails: what is called later fails, too. */
  #written: Promise<void> = Promise.resolve()

  constructor(file: IndexFile) {
    this.#file = file
  }

  async settledStats(source: string): Promise<Map<string, string>> {
    await this.flush()
    return this.#file.use("read", (connection) => new SessionRows(connection).settledStats(source))
  }

  async state(session: SessionPlace): Promise<IndexedState | undefined> {
    const waiting = this.#states.get(placeOf(session))
    if (waiting !== undefined) return waiting ?? undefined
    return this.#file.use("read", (connection) => new SessionRows(connection).find(session)?.state)
  }

  async put(change: IndexChange): Promise<boolean> {
    const { session } = change.state
    if (!isBasedOn(await this.state(session), change)) return false
    this.#waiting.push(change)
    this.#states.set(placeOf(session), change.state)
    this.#size += ENTRY * change.facts.length
    for (const { texts } of change.facts) for (const { text } of texts) this.#size += text.length
    if (this.#size > WAITING) await this.flush()
    return true
  }

  async remove(former: IndexedState): Promise<boolean> {
    const { session } = former
    if (!isBasedOn(await this.state(session), { former })) return false
    this.#waiting.push({ former })
    this.#states.set(placeOf(session), null)
    return true
  }

  /** Writes what waits, once what was taken before is stored. */
  flush(): Promise<void> {
    this.#written = this.#written.then(() => this.#write())
    return this.#written
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return
    const [changes, states] = [this.#waiting, [...this.#states]]
    this.#waiting = []
    this.#size = 0
    await this.#file.use("update", (connection) => {
      this.#writer ??= new ChangeWriter()
      this.#writer.write(connection, changes)
    })
    for (const [place, state] of states) if (this.#states.get(place) === state) this.#states.delete(place)
  }
}
