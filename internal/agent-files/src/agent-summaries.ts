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

/** The parts of sessions, by the keys of these. */
type Parts = Map<string, SourceSession[]>

/** So many sessions are summarized at a time: enough to keep a disk busy. */
const AT_A_TIME = 8

/**
 * Summaries of the sessions of another agent, made from the ends of their files, with what was counted when they were converted and have
 * not changed since.
 */
export class AgentSummaries implements SummaryCache {
  readonly #source: AgentSource
  readonly #table: SessionTable
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
    const parts: Parts = new Map()
    for await (const sessions of this.#source.list({ ...filter, parts: true })) {
      for (const session of sessions) {
        keys.add(session.key)
        const of = session.part?.of
        if (of !== undefined) parts.set(of, [...(parts.get(of) ?? []), session])
      }
      yield* this.#summarized(filter.parts ? sessions : sessions.filter(({ part }) => !part), parts)
    }
    if (filter.cwd === undefined && !filter.signal?.aborted) this.#table.keepOnly(keys)
  }

  /** Without what was counted, which its parts belong to. */
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
  async *#summarized(sessions: readonly SourceSession[], parts: Parts): AsyncGenerator<readonly FoundSession[]> {
    const known: FoundSession[] = []
    const unknown: SourceSession[] = []
    for (const session of sessions) {
      const state = session.error ? undefined : this.#table.summary(session.key, session.version)
      if (state) known.push(this.#current(session, state, parts))
      else unknown.push(session)
    }
    if (known.length > 0) yield known
    for (let at = 0; at < unknown.length; at += AT_A_TIME)
      yield await Promise.all(unknown.slice(at, at + AT_A_TIME).map((session) => this.#found(session, parts)))
  }

  async #found(session: SourceSession, parts?: Parts): Promise<FoundSession> {
    const { key, version, error } = session
    if (error) return nameOf(session)
    try {
      return this.#current(session, this.#table.summary(key, version) ?? (await this.#summarize(session)), parts)
    } catch (fault) {
      if (!isTreelogError(fault)) throw fault
      return { ...nameOf(session), error: fault as TreelogError }
    }
  }

  #current(session: SourceSession, state: SummaryState, parts: Parts | undefined): FoundSession {
    const converted = this.#converted(session)
    const counts = parts && this.#withParts(converted?.counts, parts.get(session.key) ?? [])
    return {
      ...nameOf(session),
      ...(converted && { stat: statOf(session, converted) }),
      cached: { state: counts ? { ...state, info: { ...state.info, ...counts } } : state, isCurrent: true },
    }
  }

  /** With what its parts used; undefined until all of them were read. */
  #withParts(counts: SessionCounts | undefined, parts: readonly SourceSession[]): SessionCounts | undefined {
    if (!counts || parts.length === 0) return counts
    const usages = [...(counts.usages ?? [])]
    for (const part of parts) {
      const { counts: own } = this.#converted(part) ?? {}
      if (!own) return undefined
      usages.push(...(own.usages ?? []).map((one) => ({ ...one, role: part.part?.role ?? "" })))
    }
    return usages.length > 0 ? { ...counts, usages } : counts
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
