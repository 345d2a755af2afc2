import { type IndexedState, type IndexTables, isBasedOn, placeOf } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "../open-index.js"
import { TextTokenizer } from "../tokens/text-tokens.js"
import { startWriteThread, type WriteThread } from "../write-thread/start-write-thread.js"
import { ChangePacker, type PackedChanges } from "./packed-changes.js"
import { type SessionPlace, SessionRows } from "./session-rows.js"
import { WordRows } from "./word-rows.js"
import { writeChanges } from "./write-changes.js"

type IndexChange = Parameters<IndexTables["put"]>[0]

/** So much text waits until it is written in one transaction: more takes memory, and saves no time. UTF-16 units. */
const WAITING = 256 * 1024
/** An entry without a text counts as so much. UTF-16 units. */
const ENTRY = 64
/** From so much text on, a thread writes: starting it takes as long as writing some of it. UTF-16 units. */
const THREAD_FROM = 4 * 1024 * 1024

type States = Map<string, IndexedState | null>

/**
 * The tables of an update. Changes wait in memory, and many are written in one transaction: if the process is killed, the next update
 * derives them again. An update that reads much has them written by a thread, while it reads on.
 */
export class SqliteIndexTables implements IndexTables {
  readonly #file: IndexFile
  /** The database, where a thread of this package may write it, too. */
  readonly #path: string | undefined
  /** Made for the first change: they take megabytes. */
  #packer: ChangePacker | undefined
  #words: WordRows | undefined
  #thread: WriteThread | undefined
  /** The states of sessions that wait; null for a removed one. */
  #states: States = new Map()
  #size = 0
  /** Of all changes so far. */
  #total = 0
  /** The same of what is being written. */
  #written: States = new Map()
  #writing: Promise<void> | undefined
  #failure: { readonly reason: unknown } | undefined

  constructor(file: IndexFile, path?: string) {
    this.#file = file
    this.#path = path
  }

  async settledStats(source: string): Promise<Map<string, string>> {
    await this.flush()
    return this.#file.use("read", (connection) => new SessionRows(connection).settledStats(source))
  }

  async state(session: SessionPlace): Promise<IndexedState | undefined> {
    const place = placeOf(session)
    const waiting = this.#states.get(place) ?? this.#written.get(place)
    if (waiting !== undefined) return waiting ?? undefined
    return this.#file.use("read", (connection) => new SessionRows(connection).find(session)?.state)
  }

  async put(change: IndexChange): Promise<boolean> {
    const { session } = change.state
    if (!isBasedOn(await this.state(session), change)) return false
    this.#pack().add(change)
    this.#states.set(placeOf(session), change.state)
    let size = ENTRY * change.facts.length
    for (const { texts } of change.facts) for (const { text } of texts) size += text.length
    this.#size += size
    this.#total += size
    if (this.#size > WAITING) await this.#begin()
    return true
  }

  async remove(former: IndexedState): Promise<boolean> {
    const { session } = former
    if (!isBasedOn(await this.state(session), { former })) return false
    this.#pack().remove(former)
    this.#states.set(placeOf(session), null)
    return true
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    await this.#begin()
    while (this.#writing !== undefined) await this.#writing
    this.#throwFailure()
  }

  /** Writes what waits, and ends the thread. */
  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#thread?.close()
    }
  }

  #pack(): ChangePacker {
    this.#packer ??= new ChangePacker(new TextTokenizer())
    return this.#packer
  }

  /** Begins to write what waits, once what was taken before is stored. Several may wait for that: each looks again. */
  async #begin(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    this.#throwFailure()
    if (this.#states.size === 0) return
    this.#written = this.#states
    this.#states = new Map()
    this.#size = 0
    this.#writing = this.#write(this.#pack().take())
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.reason
  }

  async #write(changes: PackedChanges): Promise<void> {
    const store = (connection: SqliteConnection) => this.#store(connection, changes)
    const [stored] = await Promise.allSettled([this.#file.use("update", store)])
    if (stored.status === "rejected") this.#failure = stored
    this.#written.clear()
    this.#writing = undefined
  }

  #store(connection: SqliteConnection, changes: PackedChanges): void | Promise<void> {
    // Not where the database is in memory, as it can be from any change on.
    const isInFile = connection.path === this.#path
    if (this.#total > THREAD_FROM && isInFile) this.#thread ??= startWriteThread(connection.path)
    if (this.#thread && isInFile) return this.#thread.write(changes)
    this.#words ??= new WordRows()
    writeChanges(connection, this.#words, changes)
  }
}
