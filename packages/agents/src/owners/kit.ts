import { realpath, stat } from "node:fs/promises"
import { isObject, type Json, parsedObject } from "@treelog-internal/agent-files"
import { type Edit, type Folders, movedPath, type OwnedStore } from "@treelog-internal/agent-files/owner"
import { entriesIn, type FsPort, textIfThere } from "@treelog-internal/agent-files/write"
import { ForeignDatabase, type SqliteValue } from "@treelog-internal/sqlite"

// What the rules of several agents need.

export { type Json, objectIn, objectsIn, textIn } from "@treelog-internal/agent-files"
export {
  type Change,
  changedLines,
  type Deletion,
  type Edit,
  type Folders,
  type Member,
  movedInLines,
  movedPath,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  type Relocation,
  type WhyHidden,
  withMovedPaths,
} from "@treelog-internal/agent-files/owner"

export { type FsPort, textIfThere } from "@treelog-internal/agent-files/write"

/** What moves of some paths: the new ones by the former ones. */
export function movedStrings(paths: readonly unknown[], folders: Folders): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path): [string, string][] => {
      const moved = movedPath(folders, path)
      return moved === undefined ? [] : [[String(path), moved]]
    }),
  )
}

/** The bytes of a file, whatever they were. */
export function replacedBy(text: string): Edit {
  return () => [new TextEncoder().encode(text)]
}

/** How much of each end of a file is read. Bytes. */
const END = 65_536

/** The text of both ends of a file, which are the same of a small one; undefined where there is none. @throws StorageError */
export async function ends(fs: FsPort, path: string, most = END): Promise<{ head: string; tail: string } | undefined> {
  if (fs.statSync(path)?.isFile() !== true) return undefined
  const file = fs.openSync(path)
  try {
    const size = Number(file.statSync({ bigint: true }).size)
    const read = (from: number): string => {
      const bytes = new Uint8Array(Math.min(most, size - from))
      return new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes, 0, bytes.length, from)))
    }
    const head = read(0)
    return { head, tail: size > most ? read(size - most) : head }
  } finally {
    file.closeSync()
  }
}

/** The records of the lines of a text that are whole. */
export function recordsOf(text: string): Json[] {
  return text.split("\n").flatMap((line): Json[] => [parsedObject(line) ?? []].flat())
}

/** The object of a JSON document; undefined of none, and of one that is damaged. @throws StorageError */
export async function objectFrom(fs: FsPort, path: string): Promise<Json | undefined> {
  const text = await textIfThere(fs, path)
  const object = text === undefined ? undefined : parsedObject(text)
  return isObject(object) ? object : undefined
}

/** Rows of a database, which is not written; none without SQLite. @throws StorageError */
export async function rowsOf(
  { loadDriver }: OwnedStore,
  path: string,
  sql: string,
  ...values: readonly SqliteValue[]
): Promise<Json[]> {
  const found = await new ForeignDatabase(path, loadDriver).read((db) => db.prepare(sql).all<Json>(...values))
  return found ?? []
}

/** The names in a folder that end so. @throws StorageError */
export async function namesIn(fs: FsPort, folder: string, end = ""): Promise<string[]> {
  return (await entriesIn(fs, folder)).map(({ name }) => name).filter((name) => name.endsWith(end))
}

/** The real path of a folder that is there. */
export async function realFolder(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? await realpath(cwd) : undefined
  } catch (error) {
    if (isGoneError(error)) return undefined
    throw error
  }
}

function isGoneError(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes(String((error as NodeJS.ErrnoException).code))
}
