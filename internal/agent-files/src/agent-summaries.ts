import { isTreelogError, type TreelogError } from "@treelog/session-core"
import {
  type FoundSession,
  type ListFilter,
  type StorageStat,
  type StoredName,
  type SummaryCache,
  type SummaryState,
  summaryState,
} from "@treelog/session-core/adapter"
import type { AgentSource, SourceSession } from "./agent-source.js"
import type { ConvertedState, SessionCounts, SessionTable } from "./session-table.js"

/** So many sessions are summarized at a time: enough to keep a disk busy. */
const AT_A_TIME = 8

/**
 * Summaries of the sessions of another agent, made from the ends of their files, with what was counted when they were converted and have
 * not changed since.
 */
export class AgentSummaries implements SummaryCache {
  readonly #source: AgentSource
  readonly #table: SessionTable

  /** The parts of sessions, by the keys of these, as they were listed last. */
  readonly #parts = new Map<string, SourceSession[]>()
  readonly #converted: (session: SourceSession) => ConvertedState | undefined

  /** @param converted the state of a session that was converted and has not changed since */
  constructor(
    source: AgentSource,
    table: SessionTable,
    converted: (session: SourceSession) => ConvertedState | undefined,
  ) {
    this.#source = source
    this.#table = table
    this.#converted = converted
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    await this.#table.load()
    const keys = new Set<string>()
    for await (const sessions of this.#source.list({ ...filter, parts: true })) {
      for (const { key } of sessions) {
        keys.add(key)
        this.#parts.delete(key)
      }
      for (const session of sessions)
        if (session.part) this.#parts.set(session.part.of, [...(this.#parts.get(session.part.of) ?? []), session])
      yield* this.#summarized(filter.parts ? sessions : sessions.filter(({ part }) => !part))
    }
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
    const known: FoundSession[] = []
    const unknown: SourceSession[] = []
    for (const session of sessions) {
      const state = session.error ? undefined : this.#table.summary(session.key, session.version)
      if (state) known.push(this.#current(session, state))
      else unknown.push(session)
    }
    if (known.length > 0) yield known
    for (let at = 0; at < unknown.length; at += AT_A_TIME)
      yield await Promise.all(unknown.slice(at, at + AT_A_TIME).map((session) => this.#found(session)))
  }

  async #found(session: SourceSession): Promise<FoundSession> {
    const { key, version, error } = session
    if (error) return nameOf(session)
    try {
      return this.#current(session, this.#table.summary(key, version) ?? (await this.#summarize(session)))
    } catch (fault) {
      if (!isTreelogError(fault)) throw fault
      return { ...nameOf(session), error: fault as TreelogError }
    }
  }

  #current(session: SourceSession, state: SummaryState): FoundSession {
    const converted = this.#converted(session)
    const counts = this.#counts(session)
    return {
      ...nameOf(session),
      ...(converted && { stat: statOf(session, converted) }),
      cached: { state: counts ? { ...state, info: { ...state.info, ...counts } } : state, isCurrent: true },
    }
  }

  /** With what its parts used; undefined until all of them were read. */
  #counts(session: SourceSession): SessionCounts | undefined {
    const { counts } = this.#converted(session) ?? {}
    const usages = [...(counts?.usages ?? [])]
    for (const part of this.#parts.get(session.key) ?? []) {
      const { counts: own } = this.#converted(part) ?? {}
      if (!own) return undefined
      usages.push(...(own.usages ?? []).map((one) => ({ ...one, role: part.part?.role ?? "" })))
    }
    return counts && (usages.length > 0 ? { ...counts, usages } : counts)
  }

  async #summarize(session: SourceSession): Promise<SummaryState> {
    const state = summaryState(await this.#source.facts(session))
    this.#table.putSummary(session.key, session.version, state)
    return state
  }
}

export function statOf({ modified }: SourceSession, { size, identity }: ConvertedState): StorageStat {
  return { size, identity, modified }
}

export function nameOf({ key, id, part, error }: SourceSession): StoredName {
  return { key, ...(id !== undefined && { id }), ...(part && { part }), ...(error && { error }) }
}
