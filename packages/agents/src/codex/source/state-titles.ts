import { join } from "node:path"
import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { type FileNotes, isObject, textIn } from "@treelog-internal/agent-files"
import { entriesIn, type FsPort } from "@treelog-internal/fs"
import {
  databaseVersion,
  foreignTables,
  includedDriver,
  openCopy,
  PATIENCE,
  retryBusy,
  type SqliteDatabase,
  type SqliteDriver,
  toStorageError,
} from "@treelog-internal/sqlite"

/** What a source says of the name of a thread. */
export interface ThreadTitle {
  /** Undefined where the user has removed it. */
  readonly title: string | undefined
  /** When that was so. Milliseconds since 1970; NaN where the source does not say. */
  readonly time: number
}

/** How the names of threads in Codex's database are read. */
export interface TitleOptions {
  /** The driver of SQLite to read that with. Default: the one that the runtime includes (Node 22.13 and newer, Bun). */
  readonly loadDriver?: (() => Promise<SqliteDriver | undefined>) | undefined
  /** Called once, with the first reason why the names of threads cannot be read in Codex's database. */
  readonly onTitlesError?: ((error: TreelogError<"StorageError">) => void) | undefined
}

type Titles = ReadonlyMap<string, ThreadTitle>

const NONE: Titles = new Map()

/** Codex begins a new database, with the next number, when it changes what is in it. */
const GENERATION = /^state_(\d+)\.sqlite$/

/**
 * The names of threads in `state_5.sqlite`, or its newest successor, which newer versions of Codex write nowhere else. SQLite gets a copy: opened
 * where it is, even to read, the database would get files beside it.
 */
export class StateTitles {
  readonly #folder: string
  readonly #fs: FsPort
  readonly #options: TitleOptions
  /** Where titles are kept, so that a later process need not read the database. */
  notes: FileNotes | undefined
  #known: { readonly path: string; titles: Titles; readonly isCurrent: () => boolean } | undefined
  #isReported = false

  /** @param folder of the database, which need not be there */
  constructor(folder: string, fs: FsPort, options: TitleOptions) {
    this.#folder = folder
    this.#fs = fs
    this.#options = options
  }

  /** None where there is no database or no SQLite, and where it cannot be read, which is reported. */
  async read(): Promise<Titles> {
    const { loadDriver = async () => includedDriver(), onTitlesError } = this.#options
    const folder = this.#folder
    let path = folder
    try {
      const numbers = (await entriesIn(this.#fs, folder)).flatMap(({ name }) => GENERATION.exec(name)?.[1] ?? [])
      const newest = numbers.sort((a, b) => Number(a) - Number(b)).at(-1)
      if (newest === undefined) return NONE
      path = join(folder, `state_${newest}.sqlite`)
      if (this.#known?.path === path && this.#known.isCurrent()) return this.#known.titles
      const version = databaseVersion(path)
      const noted = notedTitles(this.notes?.get(path, version))
      if (noted) {
        this.#known = { path, titles: noted, isCurrent: () => databaseVersion(path) === version }
        return noted
      }
      const driver = await loadDriver()
      const copy = driver && (await retryBusy(() => openCopy(driver, path), PATIENCE))
      if (!copy) return NONE
      // A damaged one is not read again either, until it changes.
      const known = { path, titles: NONE, isCurrent: copy.isCurrent }
      this.#known = known
      known.titles = titlesIn(foreignTables(copy.db, path))
      if (copy.version !== undefined) this.notes?.put(path, copy.version, { titles: [...known.titles] })
      return known.titles
    } catch (error) {
      const fault = toStorageError(error, "The database of Codex", path, "read the names of threads")
      if (!isTreelogError(fault, "StorageError")) throw fault
      if (!this.#isReported) onTitlesError?.(fault)
      this.#isReported = true
      return NONE
    }
  }
}

/** Undefined where there is no note, or a damaged one. */
function notedTitles(note: object | undefined): Titles | undefined {
  const titles: unknown = note && "titles" in note && note.titles
  if (!Array.isArray(titles)) return undefined
  const found = new Map<string, ThreadTitle>()
  for (const one of titles) {
    const [id, named] = Array.isArray(one) ? one : []
    if (typeof id !== "string" || !isObject(named)) return undefined
    found.set(id, { title: textIn(named, "title"), time: typeof named.time === "number" ? named.time : Number.NaN })
  }
  return found
}

function titlesIn(db: SqliteDatabase): Titles {
  try {
    const titles = new Map<string, ThreadTitle>()
    for (const { id, title, time } of db.prepare(query(db)).all<Readonly<Record<string, unknown>>>())
      if (typeof id === "string" && typeof title === "string")
        titles.set(id, { title: title || undefined, time: typeof time === "number" ? time : Number.NaN })
    return titles
  } finally {
    db.close()
  }
}

/**
 * A thread has a `name` since 0.150. Before, and until a row was migrated, its `title` is a name where it is not its first prompt.
 * Threads that were never named are left out; `''` is a name that was removed.
 */
function query(db: SqliteDatabase): string {
  const columns = db.prepare("PRAGMA table_info(threads)").all<{ name: string }>()
  const column = (name: string, otherwise: string) => (columns.some((one) => one.name === name) ? name : otherwise)
  const trimmed = (value: string): string => `trim(coalesce(${value}, ''), char(9, 10, 13, 32))`
  const [name, own] = [trimmed(column("name", "NULL")), trimmed("title")]
  const first = trimmed(column("first_user_message", "NULL"))
  const state = column("name_state", "'legacy_unknown'")
  const distinct = `CASE WHEN ${own} <> ${first} THEN ${own} ELSE '' END`
  const title = `CASE ${state} WHEN 'legacy_unknown' THEN coalesce(nullif(${name}, ''), ${distinct}) ELSE ${name} END`
  const time = column("updated_at_ms", "updated_at * 1000")
  return `SELECT id, ${title} AS title, ${time} AS time FROM threads WHERE ${title} <> '' OR ${state} = 'cleared'`
}
