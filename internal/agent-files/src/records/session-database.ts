import { join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import { statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { ForeignDatabase, type SqliteDatabase, toStorageError } from "@treelog-internal/sqlite"
import type { SourceSession } from "../agent-source.js"
import type { Json } from "../json.js"
import { type RecordStore, type StoreOptions, unreadable } from "./record-store.js"

/** A session in a database. */
export interface SessionRow {
  readonly id: string
  /** Changes with the records of the session. */
  readonly version: string
  /** Bytes, or about so many. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** The session that it works for, and as what. */
  readonly part?: { readonly of: string; readonly role: string }
}

/** How the sessions of an agent lie in a database. Queries read a copy in memory, in which nothing changes. */
export interface SessionDatabaseOptions {
  /** The database in the agent's folder. */
  readonly file: string
  sessions(db: SqliteDatabase): readonly SessionRow[]
  /** The records of a session, in order. */
  records(db: SqliteDatabase, id: string): readonly Json[]
}

/** The sessions of an agent in a SQLite database, whose key is its path, `/` and the id of the session. */
export function sessionDatabase(
  { folder, fs, loadDriver }: StoreOptions,
  options: SessionDatabaseOptions,
): RecordStore {
  const path = join(folder, options.file)
  const database = new ForeignDatabase(path, loadDriver)
  const keyOf = (id: string): string => path + sep + encodeURIComponent(id)

  async function read<Result>(query: (db: SqliteDatabase) => Result): Promise<Result | undefined> {
    try {
      return await database.read(query)
    } catch (error) {
      throw toStorageError(error, "The database", path, "read")
    }
  }

  function sessionOf({ part, ...row }: SessionRow): SourceSession {
    const named = part && { of: keyOf(part.of), name: `${row.id}.jsonl`, role: part.role }
    return { key: keyOf(row.id), ...row, ...(named && { part: named }) }
  }

  return {
    async *list({ signal }: ListFilter) {
      try {
        const rows = await read(options.sessions)
        signal?.throwIfAborted()
        yield (rows ?? []).map(sessionOf)
      } catch (error) {
        if (!isTreelogError(error)) throw error
        yield [unreadable(path, error)]
      }
    },
    async find(key) {
      if (!key.startsWith(path + sep)) return undefined
      const row = (await read(options.sessions))?.find(({ id }) => keyOf(id) === key)
      return row && sessionOf(row)
    },
    async *records({ id = "" }) {
      for (const value of (await read((db) => options.records(db, id))) ?? []) yield { value }
    },
    files: () => [],
    // In WAL mode, what is written stands in the log first.
    async watched() {
      const log = `${path}-wal`
      return (await withStorageErrors(log, "stat", () => statIfThere(fs, log))) ? log : path
    },
  }
}
