import {
  type FileQuery,
  type FileUse,
  type IndexFault,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchQuery,
  type SearchResult,
  type SessionIndex,
  type UsageQuery,
  type UsageRow,
  UsageRows,
} from "@treelog/session-core/search"
import { mergeHits } from "./merge-hits.js"

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

  async search(query: SearchQuery): Promise<SearchResult> {
    const results: { store: SessionIndex; result: SearchResult }[] = []
    for (const store of this.#parts) results.push({ store, result: await store.search(query) })
    const { limit = HITS, sort = "newest" } = query
    const { sessions, isMore } = mergeHits(results, { sort, limit })
    return { sessions: sessions.map(({ session, hits }) => ({ session, hits })), isMore }
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
