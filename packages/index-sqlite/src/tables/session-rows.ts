import { type IndexedSession, type IndexedState, settledStat } from "@treelog/session-core/search"
import { type SqliteConnection, textHash } from "@treelog-internal/sqlite"
import { damagedTables } from "./damaged-tables.js"

interface SessionRow {
  readonly n: number
  readonly hash: number
  readonly state: string
}

interface ParsedState {
  readonly hash: number
  readonly state: IndexedState
}

/** What was parsed last of each session, since most of them do not change between two answers. */
const parsed = new WeakMap<SqliteConnection, Map<number, ParsedState>>()

/** If more sessions than this have changed, all are read at once. */
const FEW = 100

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
      this.#states.set(n, this.#unchanged(n) ?? this.#stored(n))
    }
    return this.#states.get(n)
  }

  /** What was parsed before, if that is what is stored. */
  #unchanged(n: number): IndexedState | undefined {
    const known = this.#parsed.get(n)
    if (known === undefined) return undefined
    const row = this.#connection.sql("SELECT hash FROM session WHERE n = ?").get<Pick<SessionRow, "hash">>(n)
    return row?.hash === known.hash ? known.state : undefined
  }

  #stored(n: number): IndexedState | undefined {
    const row = this.#connection.sql("SELECT n, hash, state FROM session WHERE n = ?").get<SessionRow>(n)
    return row && this.#stateIn(row)
  }

  /** The session that answers name: of a part, the one that it belongs to, if that is known. */
  owner({ session }: IndexedState): IndexedSession {
    return (session.part && this.byKey(session.part.of)?.state.session) ?? session
  }

  /** All of them, in no order. */
  all(): [n: number, state: IndexedState][] {
    const rows = this.#connection.sql("SELECT n, hash FROM session").all<Omit<SessionRow, "state">>()
    const changed = rows.filter(({ n, hash }) => this.#parsed.get(n)?.hash !== hash)
    if (changed.length > FEW)
      for (const row of this.#connection.sql("SELECT n, hash, state FROM session").all<SessionRow>()) this.#stateIn(row)
    return rows.flatMap(({ n, hash }): [number, IndexedState][] => {
      const known = this.#parsed.get(n)
      const state = known?.hash === hash ? known.state : this.get(n)
      this.#states.set(n, state)
      return state === undefined ? [] : [[n, state]]
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
    const row = this.#connection.sql("SELECT n, hash, state FROM session WHERE key = ?").get<SessionRow>(key)
    return row && { n: row.n, state: this.#stateIn(row) }
  }

  /** @returns the number of the session */
  put(state: IndexedState): number {
    const text = JSON.stringify(state)
    const put = this.#connection.sql(`
      INSERT INTO session(key, settled, state, hash) VALUES (?, ?, ?, ?)
      ON CONFLICT(key) DO UPDATE SET settled = excluded.settled, state = excluded.state, hash = excluded.hash RETURNING n`)
    const n = put.get<{ n: number }>(state.session.key, settledStat(state), text, textHash(text))?.n ?? 0
    this.#states.set(n, state)
    return n
  }

  remove(n: number): void {
    this.#connection.sql("DELETE FROM result WHERE key = (SELECT key FROM session WHERE n = ?)").run(n)
    this.#connection.sql("DELETE FROM session WHERE n = ?").run(n)
    this.#states.set(n, undefined)
  }

  /** A row that was damaged on the disk must not be shown. */
  #stateIn({ n, hash, state: text }: SessionRow): IndexedState {
    const known = this.#parsed.get(n)
    if (known?.hash === hash) return known.state
    if (textHash(text) !== hash) throw damagedTables("sessions")
    const state = JSON.parse(text) as IndexedState
    this.#parsed.set(n, { hash, state })
    return state
  }
}
