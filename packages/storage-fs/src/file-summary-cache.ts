import { basename, dirname, join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { FoundSession, ListFilter, StorageStat, SummaryCache, SummaryState } from "@treelog/session-core/adapter"
import { errnoOf, isStat, lstatIfThere, type RowLog, statMany, withStorageErrors } from "@treelog-internal/fs"
import { FoundFile, rowOf } from "./found-file.js"
import { type ListedPart, listParts } from "./list-parts.js"
import { type Found, isSession, listFault, namesWithFolder } from "./list-sessions.js"
import { SeenStat } from "./seen-stat.js"
import { idOfFileName } from "./session-name.js"
import { statSession } from "./stored-stat.js"
import { SummaryTables, type SummaryTablesOptions } from "./summary-tables.js"

// A summary is current while size, time and identity of the file are what they were before it was read,
// and the file had then been left alone for a moment.

/** A longer summary (it has the whole first message) is not kept, and its session read at each listing. UTF-16 units. */
const LONGEST_ROW = 256 * 1024

/** So many sessions are handed on at a time. */
const BATCH = 256

export interface FileSummaryCacheOptions extends Omit<SummaryTablesOptions, "now"> {
  /** The folders that may have sessions of a working directory, or of its project; or all. */
  readonly folders: (filter: ListFilter) => AsyncIterable<Found>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A folder whose sessions can be scanned; or why it cannot be read, if it is there. */
interface OpenedFolder {
  readonly folder: string
  readonly fault?: Error | undefined
  readonly names: readonly string[]
  /** The names of those that have artifacts. */
  readonly owners: readonly string[]
}

/** What listings found out about session files, kept in files (FORMAT.md, section 8). Making one touches no disk. */
export class FileSummaryCache implements SummaryCache {
  readonly #options: FileSummaryCacheOptions
  readonly #now: () => number
  readonly #tables: SummaryTables

  constructor(options: FileSummaryCacheOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#tables = new SummaryTables({ ...options, now: this.#now })
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    const { signal, parts, makesSummaries = true } = filter
    for await (const found of this.#options.folders(filter)) {
      const { folder, fault, names, owners } = await this.#open(found)
      signal?.throwIfAborted()
      if (fault) yield [{ key: folder, error: fault }]
      const table = makesSummaries && names.length > 0 ? this.#tables.of(folder) : undefined
      for (let at = 0; at < names.length; at += BATCH) {
        signal?.throwIfAborted()
        yield await this.#check(folder, names.slice(at, at + BATCH), table)
      }
      if (table) await this.#dropGone(folder, new Set(names), table)
      if (parts) for (const name of owners) yield await this.#partsOf(join(folder, name))
    }
  }

  /** Of parts no summary is kept: lists do not show them. */
  async #partsOf(key: string): Promise<FoundSession[]> {
    const parts: ListedPart[] = []
    for await (const part of listParts(this.#options.fs, key)) parts.push(part)
    const paths = parts.map(({ key }) => key)
    const stats = await statMany(this.#options.fs, paths)
    return parts.map((part, at) => {
      const stat = stats[at]
      return isStat(stat) && !part.error ? { ...part, stat: new SeenStat(stat, this.#now()) } : part
    })
  }

  async find(key: string): Promise<FoundSession | undefined> {
    const folder = dirname(key)
    const [found] = await this.#check(folder, [basename(key)], this.#tables.of(folder))
    return found
  }

  put(key: string, stat: StorageStat, state: SummaryState): void {
    if (!(stat instanceof SeenStat)) return
    const [table, name] = [this.#tables.of(dirname(key)), basename(key)]
    const { columns, head } = rowOf(stat, stat.isSettled, state)
    if (JSON.stringify(columns).length > LONGEST_ROW) table.delete(name)
    else table.set(name, columns, head)
  }

  flush(): Promise<void> {
    return this.#tables.flush()
  }

  async #open({ path: folder, error, hasOthers }: Found): Promise<OpenedFolder> {
    if (error) return { folder, fault: error, names: [], owners: [] }
    try {
      const all = await this.#options.fs.readdir(folder)
      const entries = hasOthers ? all.filter(({ name }) => idOfFileName(name) !== undefined) : all
      const names = entries.filter(isSession).map(({ name }) => name)
      return { folder, names, owners: namesWithFolder(entries) }
    } catch (error) {
      return { folder, fault: listFault(folder, error), names: [], owners: [] }
    }
  }

  async #check(folder: string, names: readonly string[], table: RowLog | undefined): Promise<FoundSession[]> {
    const prefix = join(folder, sep)
    const at = this.#now()
    const outcomes = await statMany(
      this.#options.fs,
      names.map((name) => prefix + name),
    )
    const found: FoundSession[] = []
    let index = 0
    for (const name of names) {
      const outcome = outcomes[index++]
      const key = prefix + name
      const session =
        isStat(outcome) && outcome.isFile()
          ? new FoundFile(key, name, new SeenStat(outcome, at), table?.rows.get(name))
          : await this.#odd(key, name)
      if (session) found.push(session)
    }
    return found
  }

  /** What is gone, is not a file, or has no stat. A folder is not a session; a link to one is a broken one. */
  async #odd(key: string, name: string): Promise<FoundSession | undefined> {
    const { fs } = this.#options
    try {
      const found = await withStorageErrors(key, "stat", () => lstatIfThere(fs, key))
      if (!found || found.isDirectory()) return undefined
      const stat = await statSession(fs, key)
      return stat && new FoundFile(key, name, stat, undefined)
    } catch (error) {
      if (isTreelogError(error)) return { ...named(key, name), error }
      throw error
    }
  }

  /** What a scan of the whole folder did not find may be gone, or was missed while it was renamed. */
  async #dropGone(folder: string, names: ReadonlySet<string>, table: RowLog): Promise<void> {
    for (const name of table.rows.keys())
      if (!names.has(name) && (await this.#isGone(join(folder, name)))) table.delete(name)
  }

  /** What has no stat because of an error is still there. */
  async #isGone(path: string): Promise<boolean> {
    try {
      return (await lstatIfThere(this.#options.fs, path)) === undefined
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return false
    }
  }
}

function named(key: string, name: string): { key: string; id?: string } {
  const id = idOfFileName(name)
  return id === undefined ? { key } : { key, id }
}
