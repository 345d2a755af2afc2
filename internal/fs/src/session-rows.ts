import { basename, join } from "node:path"
import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { type CachedSummary, type StorageStat, SUMMARY_VERSION, type SummaryState } from "@treelog/session-core/adapter"
import type { FsPort } from "./fs-port.js"
import { Row, RowFile } from "./row-file.js"
import { errnoOf, isStorageFault, storageError } from "./storage-error.js"

/** What is written within one tick of the system's clock has one time. Milliseconds. */
const TICK = 20
/** The tick of a file system whose times have no fractions of milliseconds: some file systems count in steps of two seconds. */
const COARSE_TICK = 2_000
/** A time that lies so far ahead was set by a program, not by a write. Milliseconds. */
const CHOSEN = 24 * 60 * 60 * 1000

/** A longer summary (it has the whole first message) is not kept, and its session read at each listing. Bytes. */
const LONGEST_SUMMARY = 1024 * 1024
/** As much of a folder's name as stands in that of its file, for people. Characters. */
const NAME = 80

/** What the head of a summary has, after the key and the length of the columns: what each list compares and sorts by. */
const [SIZE, WRITTEN, IDENTITY, IS_SETTLED, MODIFIED, CWD, KIND] = [2, 3, 4, 5, 6, 7, 8] as const
/** Its columns: what a list shows, and what reading resumes from. */
const [INFO, RESUME] = [0, 1] as const

/** The state of a session in its store, and when it was so: the summary that is put later names it. */
export interface SeenStat extends StorageStat {
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What was found out about a version of a session or of a file, other than a summary. */
export interface StoredFact {
  readonly version: string
  /** What each list needs of it. */
  readonly brief: readonly unknown[]
  /** Parsed when it is read. */
  readonly value: unknown
}

export interface SessionRowsOptions {
  /** An absolute path; undefined keeps everything in memory. */
  readonly cacheDir: string | undefined
  /** What names the store: its program and its folder. */
  readonly store: readonly [string, string]
  /** Called with each error of the file system: what was found out is in memory anyway. */
  readonly onError: (error: unknown, operation: string) => void
}

/**
 * What is known of the sessions of one store, kept in one file (FORMAT.md, section 8). A summary is current while size, time and identity of the session are
 * what they were before it was read, and it had then been left alone for a moment.
 */
export class SessionRows {
  readonly #file: RowFile
  /** The rows of the facts that were asked for. */
  readonly #asked = new Set<string>()
  #isLoaded = false

  constructor(fs: FsPort, { cacheDir, store, onError }: SessionRowsOptions) {
    const heading = { treelog: "sessions", version: SUMMARY_VERSION, store }
    this.#file = new RowFile(fs, { path: cacheDir && pathOf(cacheDir, store), heading, onError })
  }

  /** Reads what this process and others have stored since the last call. */
  load(): void {
    this.#isLoaded = true
    this.#file.load()
  }

  /** Stores what was put. */
  flush(): Promise<void> {
    return this.#file.flush()
  }

  /** Undefined where there is none of this session, or of a longer one: of one that is as long as before, any byte may be another. */
  summary(key: string, stat: StorageStat): CachedSummary | undefined {
    const row = this.#file.rows.get(key)
    if (row?.head[IDENTITY] !== stat.identity) return undefined
    const size = row.head[SIZE] as number
    const isCurrent = size === stat.size && row.head[WRITTEN] === stat.modified && row.head[IS_SETTLED] === true
    return isCurrent || size < stat.size ? new StoredSummary(row, isCurrent) : undefined
  }

  putSummary(key: string, stat: SeenStat, { modified, cwd, kind, info, resume }: SummaryState): void {
    const head = [stat.size, stat.modified, stat.identity, isSettled(stat), modified, cwd, kind]
    const row = Row.of(key, head, [info, resume])
    if (row.head[1] > LONGEST_SUMMARY) this.#file.delete(key)
    else this.#file.put(row)
  }

  /**
   * The fact of a kind about a session or a file, whatever its version is. The kind is the beginning of the key of its row, which a summary
   * has none of.
   */
  fact(kind: string, key: string): StoredFact | undefined {
    if (!this.#isLoaded) this.load()
    this.#asked.add(`${kind} ${key}`)
    const row = this.#file.rows.get(`${kind} ${key}`)
    if (!row) return undefined
    const [, , version, ...brief] = row.head as readonly [string, number, string, ...unknown[]]
    return {
      ...{ version, brief },
      get value() {
        return row.value(0)
      },
    }
  }

  putFact(kind: string, key: string, { version, brief, value }: StoredFact): void {
    this.#file.put(Row.of(`${kind} ${key}`, [version, ...brief], [value]))
  }

  /** Forgets all sessions but these, and facts that were not asked for. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const row of this.#file.rows.keys())
      if (!keys.has(row) && !this.#asked.has(row) && !keys.has(row.slice(row.indexOf(" ") + 1))) this.#file.delete(row)
  }
}

class StoredSummary implements CachedSummary, SummaryState {
  readonly isCurrent: boolean
  readonly #row: Row
  #info: object | undefined

  constructor(row: Row, isCurrent: boolean) {
    this.isCurrent = isCurrent
    this.#row = row
  }

  get state(): SummaryState {
    return this
  }

  get version(): number {
    return SUMMARY_VERSION
  }

  get modified(): number {
    return this.#row.head[MODIFIED] as number
  }

  get cwd(): string | undefined {
    return (this.#row.head[CWD] as string | null) ?? undefined
  }

  get kind(): SummaryState["kind"] {
    return (this.#row.head[KIND] as SummaryState["kind"] | null) ?? undefined
  }

  get info(): object {
    this.#info ??= this.#row.value(INFO) as object
    return this.#info
  }

  get resume(): object {
    return this.#row.value(RESUME) as object
  }
}

/** It had been left alone for so long that a later change cannot have the same time. */
function isSettled({ at, modified }: SeenStat): boolean {
  const left = at - modified
  // A time that lies ahead is that of a clock which goes before ours, unless it is far off.
  return left > (Number.isInteger(modified) ? COARSE_TICK : TICK) || left < -CHOSEN
}

/** The folder of the files of all stores. */
export function rowsFolder(cacheDir: string): string {
  return join(cacheDir, "lists")
}

/** That two stores have the same name here costs time, no more: the heading says which one it is about. */
function pathOf(cacheDir: string, [program, folder]: SessionRowsOptions["store"]): string {
  const sum = process.getBuiltinModule("node:zlib").crc32(folder).toString(16).padStart(8, "0")
  const name = basename(folder).replace(/[^\w-]/g, "_")
  return join(rowsFolder(cacheDir), `${program}-${name.slice(-NAME)}-${sum}.list`)
}

/** Whatever the system does to the cache costs time, and no more: the first reason is reported. */
export function reportOnce(
  cacheDir: string,
  onError: ((error: TreelogError<"StorageError">) => void) | undefined,
): (error: unknown, operation?: string) => void {
  let isReported = false
  return (error, operation = "use the cache in") => {
    if (!isStorageFault(error)) throw error
    if (isReported) return
    isReported = true
    onError?.(isTreelogError(error, "StorageError") ? error : storageError(cacheDir, operation, errnoOf(error), error))
  }
}
