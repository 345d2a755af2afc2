import {
  type CachedSummary,
  type FoundSession,
  type ListFilter,
  type SessionFacts,
  type StorageStat,
  type StoredName,
  type SummaryCache,
  type SummaryState,
  summaryState,
} from "@treelog/session-core/adapter"
import type { SessionRows } from "@treelog-internal/fs"
import type { AgentSource, SourceSession } from "./agent-source.js"
import { conversionError } from "./conversion-error.js"
import { conversionVersionOf } from "./conversion-version.js"
import { type ConvertedState, type SessionCounts, splitFacts } from "./converted-states.js"

/** The parts of sessions, by the keys of these. */
type Parts = Map<string, SourceSession[]>

/** What a scan knows of all sessions: their parts and what was counted in these, where it lists them, and when it began. Milliseconds since 1970. */
interface Scan {
  readonly parts?: Parts
  readonly counted: Map<string, SessionCounts>
  readonly at: number
}

/** How many sessions are summarized at a time: enough to keep a disk busy. */
const AT_A_TIME = 8

/**
 * Summaries of the sessions of another agent, made from the ends of their files, with what was counted when they were converted and have
 * not changed since.
 */
export class AgentSummaries implements SummaryCache {
  readonly #source: AgentSource
  readonly #rows: SessionRows
  readonly #converted: (session: SourceSession) => ConvertedState | undefined

  /** @param converted the state of a session that was converted and has not changed since */
  constructor(
    source: AgentSource,
    rows: SessionRows,
    converted: (session: SourceSession) => ConvertedState | undefined,
  ) {
    this.#source = source
    this.#rows = rows
    this.#converted = converted
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    this.#rows.load()
    const at = Date.now()
    const keys = new Set<string>()
    const parts: Parts = new Map()
    const scan: Scan = { parts, counted: new Map(), at }
    for await (const sessions of this.#source.list({ ...filter, parts: true })) {
      for (const session of sessions) {
        keys.add(session.key)
        const of = session.part?.of
        if (of !== undefined) parts.set(of, [...(parts.get(of) ?? []), session])
      }
      const listed = filter.parts ? sessions : sessions.filter(({ part }) => !part)
      yield* this.#summarized(listed, scan, filter.makesSummaries)
    }
    if (filter.cwd === undefined && !filter.signal?.aborted) this.#rows.keepOnly(keys)
  }

  /** Without what was counted, which its parts belong to. */
  async find(key: string): Promise<FoundSession | undefined> {
    this.#rows.load()
    const at = Date.now()
    const session = await this.#source.find(key)
    return session && this.#found(session, { counted: new Map(), at })
  }

  /** Keeps nothing: what a list needs was found before. */
  put(): void {}

  flush(): Promise<void> {
    return this.#rows.flush()
  }

  /** Those that are known first. */
  async *#summarized(
    sessions: readonly SourceSession[],
    scan: Scan,
    makesSummaries = true,
  ): AsyncGenerator<readonly FoundSession[]> {
    const known: FoundSession[] = []
    const unknown: SourceSession[] = []
    for (const session of sessions) {
      const summary = session.error ? undefined : this.#summary(session)
      if (summary && this.#uncounted(session, summary, scan).length === 0)
        known.push(this.#current(session, summary, scan))
      else if (makesSummaries) unknown.push(session)
      else known.push(this.#unsummarized(session))
    }
    if (known.length > 0) yield known
    for (let at = 0; at < unknown.length; at += AT_A_TIME)
      yield await Promise.all(unknown.slice(at, at + AT_A_TIME).map((session) => this.#found(session, scan)))
  }

  /** What was converted has a state without being read again. */
  #unsummarized(session: SourceSession): FoundSession {
    const converted = session.error ? undefined : this.#converted(session)
    const { modified } = session
    return {
      ...nameOf(session),
      modified,
      ...(converted && { stat: statOf(session, converted) }),
      ...this.#ofUsage(session),
    }
  }

  async #found(session: SourceSession, scan: Scan): Promise<FoundSession> {
    const { key, error } = session
    if (error) return nameOf(session)
    try {
      const summary = this.#summary(session) ?? (await this.#summarize(session, scan))
      // One that cannot be read has its error where parts are listed.
      for (const part of this.#uncounted(session, summary, scan)) await this.#found(part, scan)
      return this.#current(session, summary, scan)
    } catch (fault) {
      return { ...nameOf(session), error: conversionError(key, fault) }
    }
  }

  #current(session: SourceSession, summary: SummaryState, scan: Scan): FoundSession {
    const converted = this.#converted(session)
    const { key, id, part } = session
    const countsOf = () => this.#countsWithParts(session, summary, scan)
    const stat = converted && statOf(session, converted)
    return { key, id, part, stat, cached: countedSummary(summary, countsOf), ...this.#ofUsage(session) }
  }

  /** Parts that were not read yet, of a session that a list reads as a whole. */
  #uncounted(session: SourceSession, summary: SummaryState, scan: Scan): readonly SourceSession[] {
    const parts = scan.parts?.get(session.key) ?? []
    if (parts.length === 0 || !countsIn(summary)) return []
    return parts.filter((part) => !part.error && !this.#countsOfPart(part, scan))
  }

  #ofUsage(session: SourceSession): Pick<FoundSession, "source"> {
    return session.error ? {} : { source: sourceStat(this.#source, session) }
  }

  /** Of the whole session; what it used only with what its parts used, once all of them are known and were read. */
  #countsWithParts(session: SourceSession, summary: SummaryState, scan: Scan): SessionCounts | undefined {
    const counts = this.#converted(session)?.counts ?? countsIn(summary)
    const parts = scan.parts && (scan.parts.get(session.key) ?? [])
    if (!counts || parts?.length === 0) return counts
    const { usages: own = [], ...others } = counts
    const usages = [...own]
    for (const part of parts ?? []) {
      const ofPart = this.#countsOfPart(part, scan)
      if (!ofPart) return others
      usages.push(...(ofPart.usages ?? []).map((one) => ({ ...one, role: part.part?.role ?? "" })))
    }
    return parts && usages.length > 0 ? { ...others, usages } : others
  }

  #countsOfPart(part: SourceSession, { counted }: Scan): SessionCounts | undefined {
    return this.#converted(part)?.counts ?? counted.get(part.key) ?? countsIn(this.#summary(part))
  }

  /** Undefined of a session that is new or has changed. */
  #summary(session: SourceSession): SummaryState | undefined {
    const cached = this.#rows.summary(session.key, sourceStat(this.#source, session))
    return cached?.isCurrent ? cached.state : undefined
  }

  async #summarize(session: SourceSession, { counted, at }: Scan): Promise<SummaryState> {
    const state = summaryState(await this.#source.facts(session))
    const counts = session.part && countsIn(state)
    if (counts) counted.set(session.key, counts)
    this.#rows.putSummary(session.key, { ...sourceStat(this.#source, session), at }, state)
    return state
  }
}

/** What was counted for a list; undefined where it did not read the whole session. */
function countsIn(summary: SummaryState | undefined): SessionCounts | undefined {
  const { counts } = splitFacts((summary?.info ?? {}) as SessionFacts)
  return counts.messageCount === undefined ? undefined : counts
}

/** A summary, with what was counted. Of a list of thousands, the info of most is never read. */
function countedSummary(summary: SummaryState, countsOf: () => SessionCounts | undefined): CachedSummary {
  const { version, cwd, modified, kind } = summary
  let info: object | undefined
  const state = {
    ...{ version, cwd, modified, kind },
    get info() {
      // Its own usage is not all that it used.
      info ??= { ...summary.info, usages: undefined, ...countsOf() }
      return info
    },
    get resume() {
      return summary.resume
    },
  }
  return { isCurrent: true, state }
}

export function statOf({ modified }: SourceSession, { size, identity }: ConvertedState): StorageStat {
  return { size, identity, modified }
}

/** The state of the files of a session: another conversion makes something else of them. */
export function sourceStat(source: AgentSource, { size, modified, version }: SourceSession): StorageStat {
  return { size, modified, identity: `${conversionVersionOf(source)} ${version}` }
}

export function nameOf({ key, id, part, error }: SourceSession): StoredName {
  return { key, ...(id !== undefined && { id }), ...(part && { part }), ...(error && { error }) }
}
