import { isTreelogError, type StorageStat, type TreelogError } from "@treelog/session-core"
import {
  type FoundSession,
  type ListFilter,
  type SummaryCache,
  type SummaryState,
  summaryState,
} from "@treelog/session-core/adapter"
import type { AgentSource, SourceSession } from "./agent-source.js"
import type { SessionTable } from "./session-table.js"

/** So many sessions are summarized at a time: enough to keep a disk busy. */
const AT_A_TIME = 8
/** So many sessions are handed on at a time. */
const BATCH = 128

/** Summaries of the sessions of another agent, made from the ends of their files. */
export class AgentSummaries implements SummaryCache {
  readonly #source: AgentSource
  readonly #table: SessionTable

  readonly #statOf: (session: SourceSession) => StorageStat | undefined

  /** @param statOf the state of a session that was converted and has not changed since */
  constructor(source: AgentSource, table: SessionTable, statOf: (session: SourceSession) => StorageStat | undefined) {
    this.#source = source
    this.#table = table
    this.#statOf = statOf
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    await this.#table.load()
    const keys = new Set<string>()
    let batch: SourceSession[] = []
    for await (const session of this.#source.list(filter)) {
      keys.add(session.key)
      if (batch.push(session) < BATCH) continue
      yield* this.#summarized(batch)
      batch = []
    }
    yield* this.#summarized(batch)
    if (filter.cwd === undefined && !filter.signal?.aborted) this.#table.keepOnly(keys)
  }

  async find(key: string): Promise<FoundSession | undefined> {
    await this.#table.load()
    const session = await this.#source.find(key)
    return session && this.#found(session)
  }

  /** Keeps nothing: what a list needs was found before. */
  put(): void {}

  flush(): Promise<void> {
    return this.#table.flush()
  }

  /** Those that are known first. */
  async *#summarized(sessions: readonly SourceSession[]): AsyncGenerator<readonly FoundSession[]> {
    const isKnown = ({ key, version }: SourceSession): boolean => this.#table.summary(key, version) !== undefined
    const unknown = sessions.filter((session) => !isKnown(session))
    const known = sessions.filter(isKnown)
    if (known.length > 0) yield await Promise.all(known.map((session) => this.#found(session)))
    for (let at = 0; at < unknown.length; at += AT_A_TIME)
      yield await Promise.all(unknown.slice(at, at + AT_A_TIME).map((session) => this.#found(session)))
  }

  async #found(session: SourceSession): Promise<FoundSession> {
    const { key, id, version, error } = session
    const name = { key, ...(id !== undefined && { id }) }
    if (error) return { ...name, error }
    try {
      const state = this.#table.summary(key, version) ?? (await this.#summarize(session))
      const stat = this.#statOf(session)
      return { ...name, ...(stat && { stat }), cached: { state, isCurrent: true } }
    } catch (fault) {
      if (!isTreelogError(fault)) throw fault
      return { ...name, error: fault as TreelogError }
    }
  }

  async #summarize(session: SourceSession): Promise<SummaryState> {
    const state = summaryState(await this.#source.facts(session))
    this.#table.putSummary(session.key, session.version, state)
    return state
  }
}
