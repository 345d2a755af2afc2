import { basename, dirname, join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { FoundSession, ListFilter, StorageStat, SummaryCache, SummaryState } from "@treelog/session-core/adapter"
import {
  errnoOf,
  type FileMarks,
  isSameFile,
  isStat,
  lstatIfThere,
  statMany,
  withStorageErrors,
} from "@treelog-internal/fs"
import { FoundFile } from "./found-file.js"
import { type ListedPart, listParts } from "./list-parts.js"
import { type Found, isSession, listFault, namesWithFolder } from "./list-sessions.js"
import { SeenStat } from "./seen-stat.js"
import { idOfFileName } from "./session-name.js"
import { statSession } from "./stored-stat.js"
import type { SummaryRow } from "./summary-row.js"
import { type SummaryTable, SummaryTables, type SummaryTablesOptions } from "./summary-tables.js"

// A summary is current while size, time and identity of the file are what they were before it was read,
// and the file had then been left alone for a moment: what is written within one tick of the system's clock has one time.

/** Milliseconds. */
const TICK = 20
/** The same where times have no fractions of milliseconds: some file systems count in steps of two seconds. */
const COARSE_TICK = 2_000

const CHOSEN = 24 * 60 * 60 * 1000

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
  readonly table?: SummaryTable
}

/** What listings found out about session files, kept in files (FORMAT.md, section 8). Making one touches no disk. */
export class FileSummaryCache implements SummaryCache {
  readonly #options: FileSummaryCacheOptions
  readonly #now: () => number
  readonly #tables: SummaryTables
  #scans = 0

  constructor(options: FileSummaryCacheOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#tables = new SummaryTables({ ...options, now: this.#now })
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    const { signal, parts } = filter
    for await (const found of this.#options.folders(filter)) {
      const { folder, fault, names, owners, table } = await this.#open(found)
      signal?.throwIfAborted()
      if (fault) yield [{ key: folder, error: fault }]
      if (table) yield* this.#scanFolder(table, names, signal)
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
    const [found] = await this.#check(this.#tables.of(folder), [basename(key)], 0)
    return found
  }

  put(key: string, stat: StorageStat, state: SummaryState): void {
    if (!(stat instanceof SeenStat)) return
    const [table, name] = [this.#tables.of(dirname(key)), basename(key)]
    const scan = table.rows.get(name)?.scan ?? this.#scans
    if (JSON.stringify(state).length > LONGEST_ROW) table.delete(name)
    else table.put(name, stat.marks, { isSettled: isSettled(stat), state, scan })
  }

  flush(): Promise<void> {
    return this.#tables.flush()
  }

  /** The names of the sessions in a folder, with its table if there are any. */
  async #open({ path: folder, error }: Found): Promise<OpenedFolder> {
    if (error) return { folder, fault: error, names: [], owners: [] }
    try {
      const entries = await this.#options.fs.readdir(folder)
      const names = entries.filter(isSession).map(({ name }) => name)
      return {
        folder,
        names,
        owners: namesWithFolder(entries),
        ...(names.length > 0 && { table: this.#tables.of(folder) }),
      }
    } catch (error) {
      return { folder, fault: listFault(folder, error), names: [], owners: [] }
    }
  }

  async *#scanFolder(
    table: SummaryTable,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly FoundSession[]> {
    const scan = ++this.#scans
    for (let at = 0; at < names.length; at += BATCH) {
      signal?.throwIfAborted()
      yield await this.#check(table, names.slice(at, at + BATCH), scan)
    }
    await this.#dropGone(table, scan)
  }

  async #check(table: SummaryTable, names: readonly string[], scan: number): Promise<FoundSession[]> {
    const prefix = join(table.folder, sep)
    const outcomes = await statMany(
      this.#options.fs,
      names.map((name) => prefix + name),
    )
    const found: FoundSession[] = []
    let index = 0
    for (const name of names) {
      const outcome = outcomes[index++]
      const row = table.rows.get(name)
      if (row) row.scan = scan
      const session =
        isStat(outcome) && outcome.isFile()
          ? this.#known(prefix + name, name, outcome, row)
          : await this.#odd(prefix + name, name)
      if (session) found.push(session)
    }
    return found
  }

  #known(key: string, name: string, marks: FileMarks, row: SummaryRow | undefined): FoundSession {
    const isSame = row !== undefined && isSameFile(row, marks)
    if (isSame && row.isSettled && row.size === marks.size && row.mtimeNs === marks.mtimeNs)
      return new FoundFile(key, name, row, this.#now)
    const stat = new SeenStat(marks, this.#now())
    // Of one that is as long as before, any byte may be another.
    const hasGrown = isSame && row.size < marks.size
    return { ...named(key, name), stat, ...(hasGrown && { cached: { state: row.state, isCurrent: false } }) }
  }

  /** What is gone, is not a file, or has no stat. A folder is not a session; a link to one is a broken one. */
  async #odd(key: string, name: string): Promise<FoundSession | undefined> {
    const { fs } = this.#options
    try {
      const found = await withStorageErrors(key, "stat", () => lstatIfThere(fs, key))
      if (!found || found.isDirectory()) return undefined
      const stat = await statSession(fs, key)
      return stat && { ...named(key, name), stat }
    } catch (error) {
      if (isTreelogError(error)) return { ...named(key, name), error }
      throw error
    }
  }

  /** What a scan of the whole folder did not find may be gone, or was missed while it was renamed. */
  async #dropGone(table: SummaryTable, scan: number): Promise<void> {
    for (const [name, row] of table.rows) {
      if (row.scan === scan || !(await this.#isGone(join(table.folder, name)))) continue
      table.delete(name)
    }
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

function isSettled({ marks, at }: SeenStat): boolean {
  const tick = marks.mtimeNs % 1_000_000n === 0n ? COARSE_TICK : TICK
  const left = at - Number(marks.mtimeNs) / 1e6
  // A time that lies ahead is that of a clock which goes before ours, unless it is far off: then somebody chose it.
  return left > tick || left < -CHOSEN
}
