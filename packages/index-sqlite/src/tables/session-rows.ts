import { type IndexedSession, type IndexedState, settledStat } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { storedJson } from "./stored-json.js"

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

  /** The agent of sessions whose headers name none. */
  readonly agentOfStore: string

  constructor(connection: SqliteConnection, agentOfStore = "") {
    this.#connection = connection
    this.agentOfStore = agentOfStore
    this.#parsed = parsed.get(connection) ?? new Map()
    parsed.set(connection, this.#parsed)
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
    return (session.part && this.byKey(session.part.of)?.state.session) ?? session
  }

  /** All of them, in no order. */
  all(): [n: number, state: IndexedState][] {
    const rows = this.#connection.sql("SELECT n, state FROM session").all<SessionRow>()
    return rows.map((row): [number, IndexedState] => {
      const state = this.#stateIn(row)
      this.#states.set(row.n, state)
      return [row.n, state]
    })
  }

  /** Without parsing the states. */
  settledStats(): Map<string, string> {
    const rows = this.#connection.sql("SELECT key, settled FROM session").all<{ key: string; settled: string }>()
    const stats = new Map<string, string>()
    for (const { key, settled } of rows) stats.set(key, settled)
    return stats
  }

  /** Of all sessions that are no part of another. Without parsing the states. */
  ids(): string[] {
    const ids = `
      SELECT json_group_array(state ->> '$.session.id') AS ids FROM session WHERE state ->> '$.session.part' IS NULL`
    return JSON.parse(this.#connection.sql(ids).get<{ ids: string }>()?.ids ?? "[]")
  }

  byKey(key: string): { readonly n: number; readonly state: IndexedState } | undefined {
    const row = this.#connection.sql("SELECT n, state FROM session WHERE key = ?").get<SessionRow>(key)
    return row && { n: row.n, state: this.#stateIn(row) }
  }

  /** @returns the number of the session */
  put(state: IndexedState): number {
    const put = this.#connection.sql(`
      INSERT INTO session(key, settled, state) VALUES (?, ?, ?)
      ON CONFLICT(key) DO UPDATE SET settled = excluded.settled, state = excluded.state RETURNING n`)
    const n = put.get<{ n: number }>(state.session.key, settledStat(state), JSON.stringify(state))?.n ?? 0
    this.#states.set(n, state)
    return n
  }

  remove(n: number): void {
    this.#connection.sql("DELETE FROM result WHERE key = (SELECT key FROM session WHERE n = ?)").run(n)
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
