import type { IndexedState } from "@treelog/session-core/session-index"
import { type SqliteConnection, textHash } from "@treelog-internal/sqlite"

interface SessionRow {
  readonly n: number
  readonly state: string
  readonly hash: number
}

/** What is known of the sessions, by their numbers. Read once, for one answer or one transaction. */
export class SessionRows {
  readonly #connection: SqliteConnection
  readonly #states = new Map<number, IndexedState | undefined>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  get(n: number): IndexedState | undefined {
    if (!this.#states.has(n)) {
      const row = this.#connection.sql("SELECT * FROM session WHERE n = ?").get<SessionRow>(n)
      this.#states.set(n, row && stateIn(row))
    }
    return this.#states.get(n)
  }

  /** All of them, in the order of their numbers. */
  all(): [n: number, state: IndexedState][] {
    const rows = this.#connection.sql("SELECT * FROM session").all<SessionRow>()
    const states = rows.map((row): [number, IndexedState] => [row.n, stateIn(row)])
    for (const [n, state] of states) this.#states.set(n, state)
    return states
  }

  byKey(key: string): { readonly n: number; readonly state: IndexedState } | undefined {
    const row = this.#connection.sql("SELECT * FROM session WHERE key = ?").get<SessionRow>(key)
    return row && { n: row.n, state: stateIn(row) }
  }

  /** @returns the number of the session */
  put(state: IndexedState): number {
    const text = JSON.stringify(state)
    const put = this.#connection.sql(`
      INSERT INTO session(key, state, hash) VALUES (?, ?, ?)
      ON CONFLICT(key) DO UPDATE SET state = excluded.state, hash = excluded.hash RETURNING n`)
    const n = put.get<{ n: number }>(state.session.key, text, textHash(text))?.n ?? 0
    this.#states.set(n, state)
    return n
  }

  remove(n: number): void {
    this.#connection.sql("DELETE FROM session WHERE n = ?").run(n)
    this.#states.set(n, undefined)
  }
}

/** A row that was damaged on the disk must not be shown. */
function stateIn({ state, hash }: SessionRow): IndexedState {
  if (textHash(state) === hash) return JSON.parse(state)
  throw Object.assign(new Error("a row of the index is damaged"), { code: "SQLITE_CORRUPT" })
}
