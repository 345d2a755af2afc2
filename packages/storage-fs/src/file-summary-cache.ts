import { basename, dirname, join } from "node:path"
import type { CachedSummary, StorageStat, SummaryCache, SummaryState, TreelogError } from "@treelog/session-core"
import type { FsPort } from "./fs-port.js"
import { InTurn } from "./in-turn.js"
import { lstatIfThere } from "./lstat-if-there.js"
import { errnoOf, storageError } from "./storage-error.js"
import type { SummaryRow } from "./summary-table.js"
import { TableFiles } from "./table-files.js"

// A summary is current while size, time and identity of the file are what they were when it was asked for, before the file was
// read, and the file had then been left alone for a moment: what is written within one tick of the system's clock has one time.

/** Milliseconds. */
const TICK = 20
/** The same where times have no fractions of milliseconds: some file systems count in steps of two seconds. */
const COARSE_TICK = 2_000

const CHOSEN = 24 * 60 * 60 * 1000

/** A cache file is written when the reading that this spares the next process is at least this part of the writing. */
const WORTH_WRITING = 1 / 8
/** Opening a file costs about as much as reading so much of one. Bytes. */
const OPENING = 16 * 1024
/** A longer summary (it has the whole first message) is not kept, and its session read at each listing. UTF-16 units. */
const LONGEST_ROW = 256 * 1024

/** Bytes. */
const HELD = 16 * 1024 * 1024
/** A folder is behind a listing when so many sessions of others were asked for since: many are looked at at the same time. */
const BEHIND = 256

/** What is known of the sessions in one folder, by file name. */
interface Table {
  readonly folder: string
  readonly rows: Map<string, SummaryRow>
  /** The names that were asked for since the last flush. */
  readonly asked: Set<string>
  /** About how long its file is, and how much memory it takes. */
  length: number
  isStored: boolean
  /** How much reading the next process would be spared if it were written now. Bytes. */
  owed: number
  /** How many sessions had been asked for, of all folders, when one of this was last. */
  lastAsked: number
}

export interface SummaryCacheOptions {
  readonly fs: FsPort
  /** An absolute path. */
  readonly cacheDir: string
  /** Called once, with the first reason why the cache cannot be read or written. */
  readonly onError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** How much is held in memory, but for the folders that a listing is at. Bytes of the cache files. */
  readonly held?: number
}

/** What listings found out about session files, kept in files (FORMAT.md, section 8). Making one touches no disk. */
export class FileSummaryCache implements SummaryCache {
  readonly #fs: FsPort
  readonly #files: TableFiles
  readonly #cacheDir: string
  readonly #now: () => number
  readonly #held: number
  readonly #onError: SummaryCacheOptions["onError"]
  /** By the folder of the sessions. */
  readonly #tables = new Map<string, Table>()
  readonly #loading = new Map<string, Promise<Table>>()
  readonly #flushing = new InTurn()
  /** When each session was asked for that is not current. */
  readonly #askedAt = new WeakMap<StorageStat, number>()
  #count = 0
  #isTold = false
  #isToSweep = false
  #isSwept = false

  constructor({ fs, cacheDir, onError, now = Date.now, held = HELD }: SummaryCacheOptions) {
    this.#fs = fs
    this.#files = new TableFiles(fs, cacheDir)
    this.#cacheDir = cacheDir
    this.#onError = onError
    this.#now = now
    this.#held = held
  }

  async get(key: string, stat: StorageStat): Promise<CachedSummary | undefined> {
    const folder = dirname(key)
    const table = this.#tables.get(folder) ?? (await this.#load(folder))
    const name = basename(key)
    table.asked.add(name)
    table.lastAsked = ++this.#count
    const row = table.rows.get(name)
    const isSame = row && row.size === stat.size && row.modified === stat.modified && row.identity === stat.identity
    if (isSame && row.isSettled) return { state: row.state, isCurrent: true }
    this.#askedAt.set(stat, this.#now())
    // Of one that is as long as before, any byte may be another.
    const hasGrown = row && row.identity === stat.identity && row.size < stat.size
    return hasGrown ? { state: row.state, isCurrent: false } : undefined
  }

  put(key: string, stat: StorageStat, state: SummaryState): void {
    // A table that was let go meanwhile does without: the session is read once more, some other time.
    const table = this.#tables.get(dirname(key))
    if (!table) return
    const name = basename(key)
    const { size, modified, identity } = stat
    const former = table.rows.get(name)
    const length = JSON.stringify(state).length
    if (length > LONGEST_ROW) table.rows.delete(name)
    else table.rows.set(name, { size, modified, identity, isSettled: this.#isSettled(stat), state })
    table.owed += OPENING + Math.max(0, size - (former?.size ?? 0))
    if (!former) table.length += length
  }

  flush({ complete }: { readonly complete: boolean }): Promise<void> {
    return this.#flushing.run(async () => {
      for (const table of this.#tables.values()) if (table.asked.size > 0) await this.#store(table, complete)
      await this.#makeRoom(0)
      if (this.#isToSweep) await this.#unlessUnusable("sweep", () => this.#sweep())
    })
  }

  #isSettled(stat: StorageStat): boolean {
    const tick = Number.isInteger(stat.modified) ? COARSE_TICK : TICK
    const left = (this.#askedAt.get(stat) ?? this.#now()) - stat.modified
    // A time that lies ahead is that of a clock which goes before ours, unless it is far off: then somebody chose it.
    return left > tick || left < -CHOSEN
  }

  #load(folder: string): Promise<Table> {
    const loading = this.#loading.get(folder) ?? this.#loadNow(folder).finally(() => this.#loading.delete(folder))
    this.#loading.set(folder, loading)
    return loading
  }

  async #loadNow(folder: string): Promise<Table> {
    const found = await this.#unlessUnusable("read", () => this.#files.read(folder))
    const { rows, length } = found ?? { rows: new Map<string, SummaryRow>(), length: 0 }
    const table: Table = {
      folder,
      rows,
      asked: new Set(),
      length,
      isStored: length > 0,
      owed: 0,
      lastAsked: this.#count,
    }
    this.#tables.set(folder, table)
    await this.#makeRoom(BEHIND)
    return table
  }

  /** Lets go of folders, of the first ones first, until the rest is small enough. */
  async #makeRoom(behind: number): Promise<void> {
    let held = 0
    for (const { length } of this.#tables.values()) held += length
    for (const table of this.#tables.values()) {
      if (held <= this.#held) return
      if (this.#count - table.lastAsked < behind) continue
      this.#tables.delete(table.folder)
      held -= table.length
      if (table.asked.size > 0) await this.#store(table, true)
    }
  }

  /** @param complete whether what was not asked for may be gone */
  async #store(table: Table, complete: boolean): Promise<void> {
    if (complete) await this.#dropGone(table)
    table.asked.clear()
    const { folder, rows, length, owed } = table
    if (owed === 0 || owed < length * WORTH_WRITING) return
    const written = await this.#unlessUnusable("write", () => this.#files.write(folder, rows))
    if (written === undefined) return
    table.length = written
    table.owed -= owed
    if (!table.isStored && !this.#isSwept) this.#isToSweep = true
    table.isStored = true
  }

  async #dropGone(table: Table): Promise<void> {
    for (const name of table.rows.keys()) {
      if (table.asked.has(name) || !(await this.#isGone(join(table.folder, name)))) continue
      table.rows.delete(name)
      table.owed += OPENING
    }
  }

  /** What cannot be looked at is still there. */
  async #isGone(path: string): Promise<boolean> {
    try {
      return (await lstatIfThere(this.#fs, path)) === undefined
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return false
    }
  }

  /** When there are more files than before, some may have become useless. */
  async #sweep(): Promise<void> {
    this.#isToSweep = false
    this.#isSwept = true
    await this.#files.sweep(new Set(this.#tables.keys()), this.#now())
  }

  /** Whatever the system does to the cache costs time, and no more. */
  async #unlessUnusable<T>(operation: string, action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action()
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === undefined) throw error
      if (!this.#isTold) {
        this.#isTold = true
        this.#onError?.(storageError(this.#cacheDir, operation, errno, error))
      }
      return undefined
    }
  }
}
