import { type IndexedSession, type IndexedState, settledStat } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { SourceRows } from "./source-rows.js"
import { storedJson } from "./stored-json.js"

/** Where a session is. */
export type SessionPlace = Pick<IndexedSession, "key" | "source">

interface SessionRow {
  readonly n: number
  readonly state: string
}

interface ParsedState {
  readonly text: string
  readonly state: IndexedState
}

/** What was parsed last of each session, since most of them do not change between two answers. */
const parsed = new WeakMap<SqliteConnection, Map<number, ParsedState>>()

/** What is known of the sessions, by their numbers, for one answer or one transaction. */
export class SessionRows {
  readonly #connection: SqliteConnection
  readonly #parsed: Map<number, ParsedState>
  readonly #states = new Map<number, IndexedState | undefined>()
  #sources: SourceRows | undefined

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#parsed = parsed.get(connection) ?? new Map()
    parsed.set(connection, this.#parsed)
  }

  get sources(): SourceRows {
    this.#sources ??= new SourceRows(this.#connection)
    return this.#sources
  }

  get(n: number): IndexedState | undefined {
    if (!this.#states.has(n)) {
      const row = this.#connection.sql("SELECT n, state FROM session WHERE n = ?").get<SessionRow>(n)
      this.#states.set(n, row && this.#stateIn(row))
    }
    return this.#states.get(n)
  }

  /** The session that answers name: of a part, the one that it belongs to, if that is known. */
  owner({ session }: IndexedState): IndexedSession {
    const { part, source } = session
    return (part && this.find({ key: part.of, ...(source !== undefined && { source }) })?.state.session) ?? session
  }

  /** The sessions of some sources, in no order. Default: of all. */
  all(sources = this.sources.names): [n: number, state: IndexedState][] {
    const find = this.#connection.sql("SELECT n, state FROM session WHERE source IN (SELECT value FROM json_each(?))")
    const rows = find.all<SessionRow>(JSON.stringify(sources.map((name) => this.sources.numberOf(name))))
    return rows.map((row): [number, IndexedState] => {
      const state = this.#stateIn(row)
      this.#states.set(row.n, state)
      return [row.n, state]
    })
  }

  /** Of a source. Without parsing the states. */
  settledStats(source: string): Map<string, string> {
    const find = this.#connection.sql("SELECT key, settled FROM session WHERE source = ?")
    const rows = find.all<{ key: string; settled: string }>(this.sources.numberOf(source))
    const stats = new Map<string, string>()
    for (const { key, settled } of rows) stats.set(key, settled)
    return stats
  }

  /** Of the sessions of a source that are no part of another. Without parsing the states. */
  ids(source: string): string[] {
    const ids = this.#connection.sql(`
      SELECT json_group_array(state ->> '$.session.id') AS ids FROM session
      WHERE source = ? AND state ->> '$.session.part' IS NULL`)
    return JSON.parse(ids.get<{ ids: string }>(this.sources.numberOf(source))?.ids ?? "[]")
  }

  find({ key, source }: SessionPlace): { readonly n: number; readonly state: IndexedState } | undefined {
    const find = this.#connection.sql("SELECT n, state FROM session WHERE source = ? AND key = ?")
    const row = find.get<SessionRow>(this.sources.numberOf(source), key)
    return row && { n: row.n, state: this.#stateIn(row) }
  }

  /** @returns the number of the session */
  put(state: IndexedState): number {
    const put = this.#connection.sql(`
      INSERT INTO session(source, key, settled, state) VALUES (?, ?, ?, ?)
      ON CONFLICT(source, key) DO UPDATE SET settled = excluded.settled, state = excluded.state RETURNING n`)
    const { key, source } = state.session
    const values = [this.sources.numberOf(source), key, settledStat(state), JSON.stringify(state)] as const
    const n = put.get<{ n: number }>(...values)?.n ?? 0
    this.#states.set(n, state)
    return n
  }

  remove(n: number): void {
    this.#connection
      .sql("DELETE FROM result WHERE (source, key) = (SELECT source, key FROM session WHERE n = ?)")
      .run(n)
    this.#connection.sql("DELETE FROM session WHERE n = ?").run(n)
    this.#states.set(n, undefined)
  }

  #stateIn({ n, state: text }: SessionRow): IndexedState {
    const known = this.#parsed.get(n)
    if (known?.text === text) return known.state
    const state = storedJson(text) as IndexedState
    this.#parsed.set(n, { text, state })
    return state
  }
}
