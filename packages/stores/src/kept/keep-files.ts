// Copies of the files of a store. Why nothing is lost at a kill or on a full disk: a copy has the size and the time of its original only once its bytes
// are synced, so what was interrupted is compared, and gone on with, the next time. New files and rewritten ones are complete before they get their
// names. What a rewritten file had has its place among the former ones before the new one takes its own. Nothing of a copy is ever overwritten.

import { dirname, join, sep } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  entriesIn,
  FILE_MODE,
  type FileStat,
  type FsPort,
  isErrno,
  isStat,
  isWithoutLinks,
  makeDurableFolder,
  matchingPaths,
  type OpenFile,
  openPlain,
  readWhole,
  renameDurably,
  statMany,
  syncFolder,
  toStorageError,
  writeWhole,
} from "@treelog-internal/fs"
import { beginsWith, losesTextOf } from "./compare-files.js"

/** Files by their paths in a folder, with `/`. */
export type FoundFiles = Map<string, FileStat>

/** Names of files that hold no session: logs of SQLite, locks, temporary files, and the trash of a store of files. */
const BESIDE = /-(?:wal|shm|journal)$|\.(?:lock|tmp|live|trash)$/

/** The files that patterns name, and those in folders that they name, at any depth. Links are followed. @param onError called with what cannot be read */
export async function filesAt(
  fs: FsPort,
  folder: string,
  patterns: readonly string[],
  onError: (path: string, error: Error) => void,
): Promise<FoundFiles> {
  const found: FoundFiles = new Map()
  const seen = new Set<string>()
  const walk = async (paths: readonly string[]): Promise<void> => {
    const folders: string[] = []
    for (const [at, stat] of (await statMany(fs, paths)).entries()) {
      const path = paths[at] as string
      if (stat instanceof Error) onError(path, stat)
      else if (BESIDE.test(path)) continue
      else if (stat?.isFile()) found.set(relativeTo(folder, path), stat)
      else if (stat?.isDirectory() && !seen.has(`${stat.dev}:${stat.ino}`)) {
        seen.add(`${stat.dev}:${stat.ino}`)
        folders.push(path)
      }
    }
    for (const path of folders)
      try {
        await walk((await entriesIn(fs, path)).map(({ name }) => path + sep + name))
      } catch (error) {
        onError(path, error as Error)
      }
  }
  for (const pattern of patterns) {
    const paths: string[] = []
    for await (const { path } of matchingPaths(fs, folder, pattern)) paths.push(path)
    await walk(paths)
  }
  return found
}

function relativeTo(folder: string, path: string): string {
  return path.slice(folder.length).replaceAll(sep, "/").replace(/^\/+/, "")
}

/** Where the copies of a store are. */
export interface CopyPlaces {
  readonly fs: FsPort
  /** The copies of the present files. */
  readonly present: string
  /** The folder of the former files with a number, from 1. */
  readonly formerAt: (number: number) => string
  /** A file that has no name yet. */
  readonly newTemporary: () => string
  /** Whether what else is in the folder of a file belongs to its session. */
  readonly isByFolder: boolean
}

/** What became of a file. */
export type KeptAs = "new" | "grown" | "rewritten" | "changed"

/** How often a file is read that is rewritten meanwhile. */
const ATTEMPTS = 3

/** Copies a file that is new, has grown, or was rewritten. @returns how many bytes were written; undefined where the file has gone meanwhile */
export async function keepFile(
  places: CopyPlaces,
  path: string,
  name: string,
  copy: FileStat | undefined,
): Promise<{ as: KeptAs; bytes: number; former?: string } | undefined> {
  const { fs } = places
  const to = join(places.present, name)
  for (let attempt = 1; ; attempt++) {
    const source = await openThere(fs, path)
    if (!source) return undefined
    const { file, stat } = source
    try {
      if (copy && copy.size <= stat.size && (await beginsWith(fs, path, to))) {
        await appendTo(fs, to, { file, from: Number(copy.size), stat })
        return { as: "grown", bytes: Number(stat.size - copy.size) }
      }
      const temporary = places.newTemporary()
      await copyTo(fs, temporary, { file, from: 0, stat })
      const now = await file.stat({ bigint: true })
      // While it was read, it became another one: what was read may be half of each.
      if (now.size <= stat.size && now.mtimeNs !== stat.mtimeNs && attempt < ATTEMPTS) continue
      const former = copy && (await setAside(places, name, temporary))
      await renameDurably(fs, temporary, to)
      const as = !copy ? "new" : former === undefined ? "changed" : "rewritten"
      return { as, bytes: Number(stat.size), ...(former !== undefined && { former }) }
    } finally {
      await file.close()
    }
  }
}

async function openThere(fs: FsPort, path: string): Promise<{ file: OpenFile; stat: FileStat } | undefined> {
  try {
    return await openPlain(fs, path)
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined
    throw toStorageError(error, path, "read")
  }
}

/** What is copied: the bytes of a file from one on, as far as it was when it was opened. */
interface Copied {
  readonly file: OpenFile
  readonly from: number
  readonly stat: FileStat
}

async function appendTo(fs: FsPort, path: string, copied: Copied): Promise<void> {
  await written(fs, path, "r+", copied)
}

async function copyTo(fs: FsPort, path: string, copied: Copied): Promise<void> {
  await written(fs, path, "w", copied)
}

/** The time comes last: it says that all is there. */
async function written(fs: FsPort, path: string, flags: string, { file, from, stat }: Copied): Promise<void> {
  try {
    const copy = await fs.open(path, flags, FILE_MODE)
    try {
      await copyBytes(file, copy, from, Number(stat.size))
      await copy.datasync()
      const seconds = Number(stat.mtimeNs) / 1e9
      await copy.utimes(seconds, seconds)
      await copy.sync()
    } finally {
      await copy.close()
    }
  } catch (error) {
    throw toStorageError(error, path, "write")
  }
}

const BLOCK = 1024 * 1024

async function copyBytes(from: OpenFile, to: OpenFile, start: number, end: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK, end - start)))
  for (let at = start; at < end; ) {
    const length = await readWhole(from, buffer.subarray(0, Math.min(buffer.length, end - at)), at)
    if (length === 0) return
    await writeWhole(to, buffer.subarray(0, length), at)
    at += length
  }
}

/**
 * Moves the copy of a file that was rewritten to the former ones, if it has what the new one lacks.
 * @returns where it is
 */
async function setAside(places: CopyPlaces, name: string, now: string): Promise<string | undefined> {
  const { fs, present } = places
  const path = join(present, name)
  const [before] = await statMany(fs, [path])
  if (before instanceof Error) throw before
  if (before === undefined || before.size === 0n || !(await losesTextOf(fs, path, now))) return undefined
  const to = await freeFormer(places, name)
  if (places.isByFolder) await linkOthers(fs, path, to)
  await renameDurably(fs, path, to)
  await syncFolder(fs, dirname(path))
  return to
}

/** The first place among the former files where there is neither this one nor one of its session elsewhere: a reader takes one of them. */
export async function freeFormer({ fs, formerAt }: CopyPlaces, name: string): Promise<string> {
  const own = withinSession(name)
  for (let number = 1; ; number++) {
    const others = await filesAt(fs, formerAt(number), ["."], (path, error) => {
      throw toStorageError(error, path, "list")
    })
    if (![...others.keys()].some((other) => withinSession(other) === own)) return join(formerAt(number), name)
  }
}

/** In the name of a file or a folder, what an id has. */
const ID = /\d{6}|[0-9a-f]{8}/i

/** The path of a file from the name with the id of its session on, wherever that is; the whole path where no name has one. */
export function withinSession(name: string): string {
  const parts = name.split("/")
  const at = parts.map((part) => ID.test(part)).lastIndexOf(true)
  return parts.slice(Math.max(at, 0)).join("/")
}

/** Gives what else is in the folder of a file a second name beside its former one, so that both are a session. */
async function linkOthers(fs: FsPort, path: string, former: string): Promise<void> {
  await makeDurableFolder(fs, dirname(former))
  for (const entry of await entriesIn(fs, dirname(path))) {
    const [own, other] = [join(dirname(path), entry.name), join(dirname(former), entry.name)]
    if (own === path || !entry.isFile()) continue
    try {
      await fs.link(own, other)
    } catch (error) {
      if (isErrno(error, "EEXIST")) continue
      if (!isWithoutLinks(error)) throw error
      const { file, stat } = await openPlain(fs, own)
      await copyTo(fs, other, { file, from: 0, stat }).finally(() => file.close())
    }
  }
}

/** Copies a kept file to where it was, never over one that is there. @returns whether it is there now; false where it was there already @throws StorageError */
export async function giveBack(fs: FsPort, copy: string, path: string): Promise<boolean> {
  const [own, other] = await statMany(fs, [copy, path])
  if (isStat(other) && isStat(own)) {
    if (await beginsWith(fs, path, copy)) return false
    const message = `${path} is there, and is not what was kept: nothing was changed. Move it elsewhere, and restore again.`
    throw new TreelogError("StorageError", message, { key: path, operation: "write", errno: "EEXIST" })
  }
  await makeDurableFolder(fs, dirname(path))
  const temporary = `${path}.treelog-${process.pid}`
  const { file, stat } = await openPlain(fs, copy)
  try {
    await copyTo(fs, temporary, { file, from: 0, stat })
    await fs.link(temporary, path).catch(async (error: unknown) => {
      if (!isWithoutLinks(error)) throw error
      await fs.rename(temporary, path)
    })
  } catch (error) {
    throw toStorageError(error, path, "write")
  } finally {
    await file.close()
    await fs.rm(temporary, { recursive: true, force: true })
  }
  await syncFolder(fs, dirname(path))
  return true
}
