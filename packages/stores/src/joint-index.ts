import {
  type EntryName,
  type FileQuery,
  type FileUse,
  type IndexFault,
  type IndexFilter,
  type IndexProgress,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchQuery,
  type SearchResult,
  type SessionIndex,
  type UsageQuery,
  type UsageRow,
  UsageRows,
} from "@treelog/session-core/search"
import { CountedEntries } from "./counted-entries.js"
import { searchStores } from "./merge-hits.js"

const HITS = 50

/** The indexes of several stores as one. Sums count an entry once that several stores have: in the first of them. */
export class JointIndex implements SessionIndex {
  readonly #parts: readonly SessionIndex[]
  readonly #before: readonly SessionIndex[]

  /** @param before indexes of other stores: sums do not count what these have, which counts there */
  constructor(parts: readonly SessionIndex[], before: readonly SessionIndex[] = []) {
    this.#parts = parts
    this.#before = before
  }

  /** All at the same time, so that the newest sessions of each can be found first. */
  async update({ signal, onProgress = () => {} }: IndexUpdateOptions = {}): Promise<IndexUpdateReport> {
    const reached: IndexProgress[] = this.#parts.map(() => NOTHING_YET)
    const updates = this.#parts.map((part, at) =>
      part.update({
        ...(signal && { signal }),
        onProgress: (progress) => {
          reached[at] = progress
          onProgress(sumOf(reached))
        },
      }),
    )
    const reports: IndexUpdateReport[] = []
    for (const outcome of await Promise.allSettled(updates)) {
      if (outcome.status === "rejected") throw outcome.reason
      reports.push(outcome.value)
    }
    return {
      ...sumOf(reports),
      read: total(reports, "read"),
      removed: total(reports, "removed"),
      failed: reports.flatMap(({ failed }) => failed),
      foreign: reports.flatMap(({ foreign }) => foreign),
    }
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { limit = HITS, sort = "newest" } = query
    const stores = this.#parts.map((index) => ({ index, query }))
    const { sessions, isMore } = await searchStores(stores, { sort, limit })
    return { sessions: sessions.map(({ session, hits }) => ({ session, hits })), isMore }
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    const rows = new UsageRows(query)
    const counted = new CountedEntries(this.#before, query)
    for (const part of this.#parts) {
      const except = await counted.copiesIn(part, query)
      const answer = await part.usage({ ...query, except: [...(query.except ?? []), ...except] })
      for (const row of answer) rows.addTo(row, row.usages)
    }
    return rows.sorted()
  }

  usageQuarters(filter: IndexFilter): Promise<number[]> {
    return this.#each((part) => part.usageQuarters(filter))
  }

  usageTimes(filter: IndexFilter, quarters?: readonly number[]): Promise<number[]> {
    return this.#each((part) => part.usageTimes(filter, quarters))
  }

  async usageEntries(filter: IndexFilter, times: readonly number[]): Promise<EntryName[]> {
    const names: EntryName[][] = []
    for (const part of this.#parts) names.push(await part.usageEntries(filter, times))
    return names.flat()
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

  async #each(answer: (part: SessionIndex) => Promise<number[]>): Promise<number[]> {
    const answers: number[][] = []
    for (const part of this.#parts) answers.push(await answer(part))
    return [...new Set(answers.flat())]
  }
}

const NOTHING_YET: IndexProgress = { done: 0, total: 0, bytes: 0, upToDateAfter: Number.MAX_SAFE_INTEGER }

function sumOf(all: readonly IndexProgress[]): IndexProgress {
  return {
    done: total(all, "done"),
    total: total(all, "total"),
    bytes: total(all, "bytes"),
    upToDateAfter: Math.max(0, ...all.map(({ upToDateAfter }) => upToDateAfter)),
  }
}

function total<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0)
}
