import { basename, join } from "node:path"
import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { Turns } from "@treelog/session-core/adapter"
import {
  errnoOf,
  type FsPort,
  isStorageFault,
  lstatIfThere,
  RowLog,
  storageError,
  TemporaryFiles,
  textIfThere,
} from "@treelog-internal/fs"
import { nodeZlib } from "./lazy-modules.js"

/** Incremented when rows mean something else. */
const VERSION = 4
const SUFFIX = ".list"
/** As much of a folder's name as stands in that of its cache file, for people. Characters. */
const NAME = 80
/** A temporary file of that age is of a process that died. Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000

export function tablesFolder(cacheDir: string): string {
  return join(cacheDir, "lists")
}

export interface SummaryTablesOptions {
  readonly fs: FsPort
  /** An absolute path. */
  readonly cacheDir: string
  /** Called once, with the first reason why the cache cannot be read or written. */
  readonly onError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What is known of the sessions in each folder, by file name: read from a cache file when it is requested, and written back. */
export class SummaryTables {
  readonly #options: SummaryTablesOptions
  readonly #folder: string
  readonly #tables = new Map<string, RowLog>()
  readonly #flushing = new Turns()
  #isReported = false
  #isSwept = false

  constructor(options: SummaryTablesOptions) {
    this.#options = options
    this.#folder = tablesFolder(options.cacheDir)
  }

  of(folder: string): RowLog {
    const found = this.#tables.get(folder)
    if (found) return found
    const heading = { treelog: "summaries", version: VERSION, folder }
    const table = new RowLog(this.#options.fs, this.#pathOf(folder), { heading, onError: this.#report })
    table.load()
    this.#tables.set(folder, table)
    return table
  }

  flush(): Promise<void> {
    return this.#flushing.run(async () => {
      let isNew = false
      for (const table of this.#tables.values()) {
        const wasStored = table.isStored
        await table.flush()
        isNew ||= table.isStored && !wasStored
      }
      // When there are more files than before, some may have become useless.
      if (isNew && !this.#isSwept) await this.#sweep()
    })
  }

  /** Removes the files about folders that are gone, and what processes left that died while they wrote. */
  async #sweep(): Promise<void> {
    this.#isSwept = true
    const { fs, now } = this.#options
    const inUse = new Set([...this.#tables.keys()].map((folder) => basename(this.#pathOf(folder))))
    try {
      for (const { name } of await fs.readdir(this.#folder)) {
        const path = join(this.#folder, name)
        const found = inUse.has(name) ? undefined : await lstatIfThere(fs, path)
        if (!found?.isFile()) continue
        const isOld = now() - Number(found.mtimeNs / 1_000_000n) > ABANDONED
        const isUseless = name.endsWith(SUFFIX) ? await this.#isOfNothing(path) : isOld
        if (isUseless) new TemporaryFiles(fs).discard(path)
      }
    } catch (error) {
      this.#report(error, "sweep")
    }
  }

  async #isOfNothing(path: string): Promise<boolean> {
    const { fs } = this.#options
    const [line = ""] = textIfThere(path)?.split("\n", 1) ?? []
    const folder = /^\{"treelog":"summaries",.*?"folder":(".*")\}$/.exec(line)?.[1]
    return folder === undefined || (await lstatIfThere(fs, JSON.parse(folder) as string)) === undefined
  }

  #pathOf(folder: string): string {
    // That two folders have the same name here costs time, no more: the heading says which one it is about.
    const sum = nodeZlib().crc32(folder).toString(16).padStart(8, "0")
    const name = basename(folder)
      .replace(/[^\w-]/g, "_")
      .slice(-NAME)
    return join(this.#folder, `${sum}-${name}${SUFFIX}`)
  }

  /** Whatever the system does to the cache costs time, and no more. */
  readonly #report = (error: unknown, operation: string): void => {
    if (!isStorageFault(error)) throw error
    if (this.#isReported) return
    this.#isReported = true
    const { cacheDir, onError } = this.#options
    onError?.(isTreelogError(error, "StorageError") ? error : storageError(cacheDir, operation, errnoOf(error), error))
  }
}
