import { join, sep } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import { matchingPaths, patternOf, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { ForeignDatabase, type SqliteDatabase, toStorageError } from "@treelog-internal/sqlite"
import type { SourceSession } from "../agent-source.js"
import { isObject, type Json } from "../json.js"
import { isTime } from "./entry-writer.js"
import { type RecordStore, rootOf, type StoreOptions, unreadable } from "./record-store.js"

/** A session in a database. It is read from rows that can hold anything: `sessionDatabase` checks each field. */
export interface SessionRow {
  readonly id: string
  /** Changes with the records of the session. */
  readonly version: string
  /** What of it a copy of the database has, too, which gives rows other numbers. Default: all. */
  readonly copiedVersion?: string
  /** Bytes, or about so many. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** The session that it works for, and as what. Of a part of a part, the outermost one is shown as the session. */
  readonly part?: { readonly of: string; readonly role: string }
}

/** How the sessions of an agent lie in a database. Queries read a copy, in which nothing changes. */
export interface SessionDatabaseOptions {
  /** The database in the agent's folder, or several. In a path to several, `*` stands for any part of a name: `agents/*` + `/agent.sqlite`. */
  readonly file: string | readonly string[]
  sessions(db: SqliteDatabase): readonly SessionRow[]
  /** The records of a session, in order. */
  records(db: SqliteDatabase, id: string): readonly Json[]
  /** See `recordsOfEnd` of `RecordStore`. */
  recordsOfEnd?(db: SqliteDatabase, id: string): readonly Json[] | undefined
}

/** The sessions of an agent in a SQLite database, whose key is its path, `/` and the id of the session. */
export function sessionDatabase(
  { folder, fs, notes, loadDriver }: StoreOptions,
  options: SessionDatabaseOptions,
): RecordStore {
  const databases = new Map<string, ForeignDatabase>()
  /** By database, so that each of thousands of sessions is not looked for among all of them again. */
  const found = new Map<string, { readonly version: string; readonly sessions: Sessions }>()
  const files = [options.file].flat()
  const patterns = files.map((file) => join(folder, file).split(sep).map(patternOf))

  async function use<Result>(path: string, query: (database: ForeignDatabase) => Promise<Result>): Promise<Result> {
    const database = databases.get(path) ?? new ForeignDatabase(path, loadDriver)
    databases.set(path, database)
    try {
      return await query(database)
    } catch (error) {
      throw toStorageError(error, "The database", path, "read")
    }
  }

  /** Of a database that has not changed, what was found before: it is neither copied nor opened. */
  function sessionsIn(path: string): Promise<Sessions> {
    return use(path, async (database) => {
      const version = database.versionNow()
      const known = found.get(path)
      if (known?.version === version) return known.sessions
      const noted = rowsOf(notes.get(path, version))
      const read = noted
        ? { rows: noted, version }
        : await database.read((db, version) => ({ rows: options.sessions(db), version }))
      const sessions = sessionsOfRows(path, read?.rows ?? [])
      if (read?.version === undefined) return sessions
      found.set(path, { version: read.version, sessions })
      if (!noted) notes.put(path, read.version, { rows: read.rows })
      return sessions
    })
  }

  /** The path of the database that a key names; undefined where it is none of them. */
  function databaseOf(key: string): string | undefined {
    const parts = key.split(sep).slice(0, -1)
    const isOne = (pattern: readonly RegExp[]): boolean =>
      parts.length === pattern.length && pattern.every((one, at) => one.test(parts[at] ?? ""))
    return patterns.some(isOne) ? parts.join(sep) : undefined
  }

  return {
    async *list({ signal }: ListFilter) {
      for (const file of files)
        for await (const { path } of matchingPaths(fs, folder, file)) {
          try {
            const sessions = await sessionsIn(path)
            signal?.throwIfAborted()
            yield [...sessions.values()]
          } catch (error) {
            yield [unreadable(path, error)]
          }
        }
    },
    async find(key) {
      const path = databaseOf(key)
      const session = path === undefined ? undefined : (await sessionsIn(path)).get(key)
      if (session?.error) throw session.error
      return session
    },
    async *records({ key, id = "" }) {
      const records = await use(databaseOf(key) ?? key, (database) => database.read((db) => options.records(db, id)))
      for (const value of records ?? []) yield { value }
    },
    recordsOfEnd: ({ key, id = "" }) =>
      use(databaseOf(key) ?? key, (database) => database.read((db) => options.recordsOfEnd?.(db, id))),
    ...(typeof options.file === "string" && !options.file.includes("*") && { database: join(folder, options.file) }),
    files: () => [],
    // In WAL mode, what is written stands in the log first.
    async watched({ key }) {
      const path = databaseOf(key) ?? key
      const log = `${path}-wal`
      return (await withStorageErrors(log, "stat", () => statIfThere(fs, log))) ? log : path
    },
  }
}

/** The sessions in a file that holds several of them, whose key is its path, `/` and the id of the session. */
export function sessionsOfRows(path: string, rows: readonly SessionRow[]): Sessions {
  const keyOf = (id: string): string => path + sep + encodeURIComponent(id)
  const parents = new Map(rows.map(({ id, part }) => [id, isId(part?.of) ? part.of : undefined]))
  const sessions = rows.map(({ id, version, copiedVersion, size, modified, part }): SourceSession => {
    if (!isId(id)) return oddId(path, id)
    const of = rootOf(id, parents)
    const named = part && of !== id && { of: keyOf(of), name: `${id}.jsonl`, role: part.role }
    const state = { size: countOf(size), modified: isTime(modified) ? modified : 0, version: String(version) }
    const copied = copiedVersion !== undefined && { copiedVersion: String(copiedVersion) }
    return { key: keyOf(id), id, ...state, ...copied, ...(named && { part: named }) }
  })
  return new Map(sessions.map((session) => [session.key, session]))
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}

/** A row whose id is no text. */
function oddId(path: string, id: unknown): SourceSession {
  const shown = id instanceof Uint8Array ? `bytes-${Buffer.from(id).toString("hex", 0, 20)}` : `${typeof id}-${id}`
  const found = `a session whose id is no text: ${shown}`
  const key = path + sep + encodeURIComponent(shown)
  const error = new TreelogError("InvalidSessionError", `${path} has ${found}.`, { key, found, isDamaged: true })
  return unreadable(key, error)
}

type Sessions = ReadonlyMap<string, SourceSession>

/** What a note has; undefined of one that is damaged. */
function rowsOf(note: object | undefined): readonly SessionRow[] | undefined {
  const rows: unknown = note && "rows" in note && note.rows
  const isRow = (row: unknown): boolean => isObject(row) && typeof row.id === "string"
  return Array.isArray(rows) && rows.every(isRow) ? rows : undefined
}

/** Whether a database has a table: versions of an agent make others. */
export function hasTable(db: SqliteDatabase, name: string): boolean {
  const isThere =
    db.prepare("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?").get(name) !== undefined
  // What is no table is an error, and not missing.
  if (isThere) db.prepare(`SELECT 1 FROM ${name}`)
  return isThere
}
