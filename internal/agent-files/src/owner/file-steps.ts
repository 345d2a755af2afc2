import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { sessionChanged } from "@treelog/session-core/adapter"
import {
  type FileStat,
  type FsPort,
  lstatIfThere,
  makeDurableFolder,
  renameNew,
  syncFolder,
  writeChunks,
} from "@treelog-internal/fs"
import {
  inTransaction,
  retryBusy,
  type SqliteDatabase,
  type SqliteDriver,
  toStorageError,
} from "@treelog-internal/sqlite"
import type { Columns, RowChange } from "./change.js"

export type LoadDriver = () => Promise<SqliteDriver | undefined>

/** Writes a new file with the mode and the time of another: agents sort sessions by it, and delete old ones. */
export async function writeLike(
  fs: FsPort,
  path: string,
  { mode, mtimeNs }: FileStat,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = fs.openSync(path, "wx", Number(mode & 0o777n))
  try {
    await writeChunks(file, bytes)
    file.chmodSync(Number(mode & 0o777n))
    await file.sync()
  } finally {
    file.closeSync()
  }
  const seconds = Number(mtimeNs) / 1e9
  fs.utimesSync(path, seconds, seconds)
}

/** Gives a file or a folder another name. @throws SessionExistsError where that is taken */
export async function moveTo(fs: FsPort, from: string, to: string): Promise<void> {
  await makeDurableFolder(fs, dirname(to))
  const isFolder = (await fs.lstat(from, { bigint: true })).isDirectory()
  const isFree = isFolder ? (await lstatIfThere(fs, to)) === undefined : await renameNew(fs, from, to)
  if (!isFree) throw taken(to)
  if (isFolder) await fs.rename(from, to)
  for (const folder of new Set([dirname(from), dirname(to)])) await syncFolder(fs, folder)
}

export function taken(key: string): TreelogError<"SessionExistsError"> {
  return new TreelogError("SessionExistsError", `There is one already: ${key}.`, { key })
}

type RowPlace = Pick<RowChange, "path" | "table" | "id">

/** Writes a row, if it has the values that are expected. @throws SessionChangedError where it has others; StorageError */
export function setRow(loadDriver: LoadDriver, row: RowPlace, before: Columns, after: Columns): Promise<void> {
  return inDatabase(loadDriver, row.path, (db) => {
    const [set, expected] = [Object.keys(after), Object.keys(before)]
    const sql = `UPDATE ${row.table} SET ${set.map((name) => `${name} = ?`).join(", ")} WHERE ${whereOf([...Object.keys(row.id), ...expected])}`
    inTransaction(db, () => {
      db.prepare(sql).run(...Object.values(after), ...Object.values(row.id), ...Object.values(before))
      if (!isRow(db, row, after)) throw sessionChanged(row.path, "replaced")
    })
  })
}

function isRow(db: SqliteDatabase, { table, id }: RowPlace, values: Columns): boolean {
  const sql = `SELECT 1 FROM ${table} WHERE ${whereOf([...Object.keys(id), ...Object.keys(values)])}`
  return db.prepare(sql).get(...Object.values(id), ...Object.values(values)) !== undefined
}

/** The values of the columns that a change sets; undefined where the row is gone. */
export function rowValues(
  loadDriver: LoadDriver,
  { path, table, id, set }: RowPlace & Pick<RowChange, "set">,
): Promise<Columns | undefined> {
  return inDatabase(loadDriver, path, (db) => {
    const sql = `SELECT ${Object.keys(set).join(", ")} FROM ${table} WHERE ${whereOf(Object.keys(id))}`
    const found = db.prepare(sql).get<Columns>(...Object.values(id))
    return found && { ...found }
  })
}

function whereOf(names: readonly string[]): string {
  return names.map((name) => `${name} IS ?`).join(" AND ")
}

async function inDatabase<Result>(
  loadDriver: LoadDriver,
  path: string,
  work: (db: SqliteDatabase) => Result,
): Promise<Result> {
  try {
    const driver = await loadDriver()
    if (!driver) {
      const message = `${path} needs SQLite: run \`npm install better-sqlite3\`, or use Node 22.13 or newer, which includes it.`
      throw new TreelogError("StorageError", message, { key: path, operation: "open", errno: undefined })
    }
    return await retryBusy(() => {
      const db = driver.open(path)
      try {
        return work(db)
      } finally {
        db.close()
      }
    })
  } catch (error) {
    throw toStorageError(error, "The database", path, "write")
  }
}
