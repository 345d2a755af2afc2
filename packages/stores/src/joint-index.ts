import {
  type FileQuery,
  type FileUse,
  type IndexFault,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchQuery,
  type SearchResult,
  type SessionHits,
  type SessionIndex,
  type UsageQuery,
  type UsageRow,
  UsageRows,
} from "@treelog/session-core/search"

const HITS = 50

/** The indexes of several stores as one. */
export class JointIndex implements SessionIndex {
  readonly #parts: readonly SessionIndex[]

  constructor(parts: readonly SessionIndex[]) {
    this.#parts = parts
  }

  async update(options: IndexUpdateOptions = {}): Promise<IndexUpdateReport> {
    const all = { done: 0, total: 0, bytes: 0, read: 0, removed: 0, upToDateAfter: 0, failed: [] }
    let report: IndexUpdateReport = all
    for (const part of this.#parts) {
      const { signal } = options
      const one = await part.update({ ...(signal && { signal }) })
      report = {
        done: report.done + one.done,
        total: report.total + one.total,
        bytes: report.bytes + one.bytes,
        read: report.read + one.read,
        removed: report.removed + one.removed,
        upToDateAfter: 0,
        failed: [...report.failed, ...one.failed],
      }
      options.onProgress?.(report)
    }
    return report
  }

  /**
   * The hits of all stores together: the newest first, or by relevance those of each store in turn, since ranks of two indexes cannot be
   * compared. Of an entry that several copies of a session have, the first is a hit.
   */
  async search(query: SearchQuery): Promise<SearchResult> {
    const { limit = HITS, sort = "newest" } = query
    const hits: { session: SessionHits["session"]; hit: SessionHits["hits"][number]; rank: number }[] = []
    let isMore = false
    for (const part of this.#parts) {
      const found = await part.search(query)
      isMore ||= found.isMore
      let rank = 0
      for (const { session, hits: own } of found.sessions)
        for (const hit of own) hits.push({ session, hit, rank: rank++ })
    }
    hits.sort(sort === "newest" ? (a, b) => b.hit.time - a.hit.time : (a, b) => a.rank - b.rank)
    const seen = new Set<string>()
    const unique = hits.filter(({ session, hit }) => {
      const name = JSON.stringify([session.id, hit.entryId, hit.role])
      const isNew = !seen.has(name)
      seen.add(name)
      return isNew
    })
    const groups = new Map<string, { session: SessionHits["session"]; hits: SessionHits["hits"][number][] }>()
    for (const { session, hit } of unique.slice(0, limit)) {
      const group = groups.get(session.key) ?? { session, hits: [] }
      groups.set(session.key, group)
      group.hits.push(hit)
    }
    return { sessions: [...groups.values()], isMore: isMore || unique.length > limit }
  }

  /** Sums of all stores. What copies of a session share counts in each store that has one. */
  async usage(query: UsageQuery): Promise<UsageRow[]> {
    const rows = new UsageRows()
    for (const part of this.#parts)
      for (const { key, session, usages } of await part.usage(query))
        for (const usage of usages) rows.add(key, usage, session)
    return rows.sorted(query.by)
  }

  async files(query: FileQuery): Promise<FileUse[]> {
    const uses: FileUse[] = []
    for (const part of this.#parts) uses.push(...(await part.files(query)))
    return uses.sort((a, b) => b.time - a.time).slice(0, query.limit ?? HITS)
  }

  async verify(options?: Pick<IndexUpdateOptions, "signal">): Promise<IndexFault[]> {
    const faults: IndexFault[] = []
    for (const part of this.#parts) faults.push(...(await part.verify(options)))
    return faults
  }

  async close(): Promise<void> {
    for (const part of this.#parts) await part.close()
  }
}
