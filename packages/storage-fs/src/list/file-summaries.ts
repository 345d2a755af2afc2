import { isTreelogError } from "@treelog/session-core"
import type {
  FoundSession,
  ListFilter,
  StorageStat,
  StoredName,
  SummaryCache,
  SummaryState,
} from "@treelog/session-core/adapter"
import {
  type FsPort,
  isStat,
  lstatIfThere,
  type SeenStat,
  type SessionRows,
  statMany,
  storedStat,
  withStorageErrors,
} from "@treelog-internal/fs"
import { statSession } from "../stored-stat.js"

/** So many sessions are handed on at a time. */
const BATCH = 256

export interface FileSummariesOptions {
  readonly list: (filter: ListFilter) => AsyncIterable<readonly StoredName[]>
  readonly rows: SessionRows
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What listings found out about session files. */
export class FileSummaries implements SummaryCache {
  readonly #fs: FsPort
  readonly #list: FileSummariesOptions["list"]
  readonly #rows: SessionRows
  readonly #now: () => number

  constructor(fs: FsPort, { list, rows, now = Date.now }: FileSummariesOptions) {
    this.#fs = fs
    this.#list = list
    this.#rows = rows
    this.#now = now
  }

  /** Of parts no summary is kept: lists do not show them. */
  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    const rows = filter.makesSummaries === false ? undefined : this.#rows
    rows?.load()
    const keys = new Set<string>()
    for await (const names of this.#list(filter)) {
      if (rows) for (const { key } of names) keys.add(key)
      for (let at = 0; at < names.length; at += BATCH) {
        filter.signal?.throwIfAborted()
        yield await this.#check(names.slice(at, at + BATCH), rows)
      }
    }
    if (filter.cwd === undefined) rows?.keepOnly(keys)
  }

  async find(key: string): Promise<FoundSession | undefined> {
    this.#rows.load()
    const [found] = await this.#check([{ key }], this.#rows)
    return found
  }

  put(key: string, stat: StorageStat, state: SummaryState): void {
    if ("at" in stat) this.#rows.putSummary(key, stat as SeenStat, state)
  }

  flush(): Promise<void> {
    return this.#rows.flush()
  }

  async #check(names: readonly StoredName[], rows: SessionRows | undefined): Promise<FoundSession[]> {
    const at = this.#now()
    const outcomes = await statMany(
      this.#fs,
      names.map(({ key }) => key),
    )
    const found: FoundSession[] = []
    for (const [index, name] of names.entries()) {
      const outcome = outcomes[index]
      if (name.error) found.push(name)
      else if (isStat(outcome) && outcome.isFile()) {
        // No object is spread: there are thousands.
        const { key, id, part } = name
        const { size, modified, identity } = storedStat(outcome)
        const stat: SeenStat = { size, modified, identity, at }
        found.push({ key, id, part, stat, cached: rows?.summary(key, stat) })
      } else found.push(...(await this.#odd(name)))
    }
    return found
  }

  /** What is gone, is not a file, or has no stat. A folder is not a session; a link to one is a broken one. */
  async #odd(name: StoredName): Promise<FoundSession[]> {
    const { key } = name
    try {
      const found = await withStorageErrors(key, "stat", () => lstatIfThere(this.#fs, key))
      const stat = found && !found.isDirectory() ? statSession(this.#fs, key) : undefined
      return stat ? [{ ...name, stat }] : []
    } catch (error) {
      if (isTreelogError(error)) return [{ ...name, error }]
      throw error
    }
  }
}
