import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { Turns } from "@treelog/session-core/adapter"
import { errnoOf, type FsPort, isStorageFault, storageError } from "@treelog-internal/fs"
import type { SummaryRow } from "./summary-row.js"
import { TableFiles } from "./table-files.js"

/** A cache file is written when the reading that this spares the next process is at least this part of the writing. */
const WORTH_WRITING = 1 / 8

/** Bytes. */
const HELD = 32 * 1024 * 1024
/** What a row takes in memory beside the bytes of its file. */
const ROW = 200
/** What one takes that is no part of a file yet: its state is made of objects. */
const FRESH_ROW = 2_000
/** A folder is behind a listing when so many sessions of others are being read since: many are at the same time. */
const BEHIND = 512

/** What is known of the sessions in one folder. */
export interface SummaryTable {
  readonly folder: string
  /** By file name. */
  readonly rows: Map<string, SummaryRow>
  /** About how long its file is. Bytes. */
  length: number
  isStored: boolean
  /** How many rows were put since it was read from its file. */
  fresh: number
  /** How much reading the next process would be spared if it were written now. Bytes. */
  owed: number
  /** How many sessions had to be read, of all folders, when one of this had to be last. */
  lastRead: number
}

export interface SummaryTablesOptions {
  readonly fs: FsPort
  /** An absolute path. */
  readonly cacheDir: string
  /** Called once, with the first reason why the cache cannot be read or written. */
  readonly onError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** How much is held in memory, but for the folders that a listing is at. Bytes. */
  readonly held?: number | undefined
}

/** The tables of all folders: read from cache files when they are asked for, held in memory up to a limit, and written back. */
export class SummaryTables {
  readonly #files: TableFiles
  readonly #options: SummaryTablesOptions
  /** By folder. */
  readonly #tables = new Map<string, SummaryTable>()
  readonly #loading = new Map<string, Promise<SummaryTable>>()
  readonly #flushing = new Turns()
  #read = 0
  #isReported = false
  #isToSweep = false
  #isSwept = false

  constructor(options: SummaryTablesOptions) {
    this.#options = options
    this.#files = new TableFiles(options.fs, options.cacheDir)
  }

  /** Undefined for one that is not in memory any more. */
  held(folder: string): SummaryTable | undefined {
    return this.#tables.get(folder)
  }

  async of(folder: string): Promise<SummaryTable> {
    const table = this.#tables.get(folder)
    if (table) return table
    const loading = this.#loading.get(folder) ?? this.#load(folder).finally(() => this.#loading.delete(folder))
    this.#loading.set(folder, loading)
    return loading
  }

  /** A session of the folder has to be read: what is found out will be put into its table. */
  expect(table: SummaryTable): void {
    table.lastRead = ++this.#read
  }

  flush(): Promise<void> {
    return this.#flushing.run(async () => {
      for (const table of this.#tables.values()) await this.#store(table)
      await this.#dropUntilSmall(0)
      if (this.#isToSweep) await this.#unlessUnusable("sweep", () => this.#sweep())
    })
  }

  async #load(folder: string): Promise<SummaryTable> {
    const found = await this.#unlessUnusable("read", () => this.#files.read(folder))
    const { rows, length } = found ?? { rows: new Map<string, SummaryRow>(), length: 0 }
    const table = { folder, rows, length, isStored: length > 0, fresh: 0, owed: 0, lastRead: Number.NEGATIVE_INFINITY }
    await this.#dropUntilSmall(BEHIND)
    this.#tables.set(folder, table)
    return table
  }

  /** Drops folders from memory, the first ones first, until the rest is small enough. */
  async #dropUntilSmall(behind: number): Promise<void> {
    const { held: most = HELD } = this.#options
    let held = 0
    for (const table of this.#tables.values()) held += sizeOf(table)
    for (const table of this.#tables.values()) {
      if (held <= most) return
      if (this.#read - table.lastRead < behind) continue
      this.#tables.delete(table.folder)
      held -= sizeOf(table)
      await this.#store(table)
    }
  }

  async #store(table: SummaryTable): Promise<void> {
    const { folder, rows, length, owed } = table
    if (owed === 0 || owed < length * WORTH_WRITING) return
    const written = await this.#unlessUnusable("write", () => this.#files.write(folder, rows))
    if (written === undefined) return
    table.length = written
    table.owed -= owed
    if (!table.isStored && !this.#isSwept) this.#isToSweep = true
    table.isStored = true
  }

  /** When there are more files than before, some may have become useless. */
  async #sweep(): Promise<void> {
    this.#isToSweep = false
    this.#isSwept = true
    await this.#files.sweep(new Set(this.#tables.keys()), this.#options.now())
  }

  /** Whatever the system does to the cache costs time, and no more. */
  async #unlessUnusable<T>(operation: string, action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action()
    } catch (error) {
      if (!isStorageFault(error)) throw error
      if (!this.#isReported) {
        this.#isReported = true
        this.#options.onError?.(
          isTreelogError(error, "StorageError")
            ? error
            : storageError(this.#options.cacheDir, operation, errnoOf(error), error),
        )
      }
      return undefined
    }
  }
}

/** About how much memory it takes. Bytes. */
function sizeOf({ length, rows, fresh }: SummaryTable): number {
  return length + rows.size * ROW + fresh * FRESH_ROW
}
