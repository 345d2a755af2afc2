import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  watch,
  writeSync,
} from "node:fs"
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  utimes,
} from "node:fs/promises"
import { dirname, join } from "node:path"
import { bytesOfText, textOfBytes } from "@treelog/session-core/adapter"
import type { BigInts, FileStat, FolderEntry, FsPort, SyncFile } from "./fs-port.js"
import { READ_AT_ONCE } from "./read-file.js"
import { isErrno } from "./storage-error.js"

/**
 * The file system of Node. Names are bytes: a path is the text that stands for them (see `textOfBytes` of
 * `@treelog/session-core/adapter`), also of names that are not valid UTF-8.
 */
export const nodeFs: FsPort = {
  open: (path, flags, mode) => open(systemPath(path), flags, mode),
  openSync: openFileSync,
  stat: (path, options) => stat(systemPath(path), options),
  statSync: (path) => statSync(systemPath(path), { bigint: true, throwIfNoEntry: false }),
  lstatSync: (path) => lstatSync(systemPath(path), { bigint: true, throwIfNoEntry: false }),
  lstat: (path, options) => lstat(systemPath(path), options),
  realpath: async (path) => textOfBytes(await realpath(systemPath(path), "buffer")),
  realpathSync: (path) => textOfBytes(realpathSync.native(systemPath(path), "buffer")),
  readlink: async (path) => textOfBytes(await readlink(systemPath(path), "buffer")),
  readdir: entriesOf,
  mkdir: (path, options) => mkdir(systemPath(path), options),
  mkdirSync: makeFoldersSync,
  link: (existing, path) => link(systemPath(existing), systemPath(path)),
  linkSync: (existing, path) => linkSync(systemPath(existing), systemPath(path)),
  symlink: (target, path) => symlink(systemPath(target), systemPath(path)),
  rename: (from, to) => rename(systemPath(from), systemPath(to)),
  renameSync: (from, to) => renameSync(systemPath(from), systemPath(to)),
  unlink: (path) => unlink(systemPath(path)),
  unlinkSync: (path) => unlinkSync(systemPath(path)),
  rm: (path, options) => rm(systemPath(path), options),
  rmSync: (path, options) => rmSync(systemPath(path), options),
  rmdir: (path) => rmdir(systemPath(path)),
  utimes: (path, accessed, modified) => utimes(systemPath(path), accessed, modified),
  utimesSync: (path, accessed, modified) => utimesSync(systemPath(path), accessed, modified),
  watch: (folder, options, listener) =>
    watch(systemPath(folder), { ...options, encoding: "buffer" }, (event, name) =>
      listener(event, name && textOfBytes(name)),
    ),
}

/** Where a file system is mounted for reading only, Node reports that a folder is missing: the one that it is to make. */
function makeFoldersSync(path: string, options: { recursive: boolean; mode: number }): string | undefined {
  try {
    return mkdirSync(systemPath(path), options)
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
    let parent = dirname(path)
    while (!existsSync(systemPath(parent)) && parent !== dirname(parent)) parent = dirname(parent)
    accessSync(systemPath(parent), constants.W_OK)
    throw error
  }
}

/**
 * Reads names and types in one call, without the thread pool: lists and sweeps read
 * many folders. Where a name has bytes that are not UTF-8, Node has lost them, and all names are read
 * again as bytes, each with a stat for its type. The one call also fails then, where the system reports no types: Node stats
 * the name without its lost bytes. Names are read again as bytes after that, too.
 */
async function entriesOf(path: string): Promise<FolderEntry[]> {
  const folder = systemPath(path)
  const entries = typeof folder === "string" ? typedEntriesOf(folder) : undefined
  if (entries?.every(({ name }) => !name.includes("\uFFFD"))) return entries
  const names = await readdir(folder, "buffer")
  const found = await Promise.all(names.map((bytes) => entryAt(path, textOfBytes(bytes))))
  return found.filter((entry) => entry !== undefined)
}

/** Undefined where an entry is not there by its name without the lost bytes. */
function typedEntriesOf(folder: string): FolderEntry[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isErrno(error, "ENOENT") && existsSync(folder)) return undefined
    throw error
  }
}

/** Undefined when it was removed meanwhile. */
async function entryAt(folder: string, name: string): Promise<FolderEntry | undefined> {
  const stats = await lstat(systemPath(join(folder, name))).catch(ifMissing)
  return stats && Object.assign(stats, { name })
}

function ifMissing(error: unknown): undefined {
  if (!isErrno(error, "ENOENT")) throw error
}

/** A path as the system takes it: as bytes where its text stands for bytes that are not valid UTF-8. */
function systemPath(path: string): string | Buffer {
  const bytes = bytesOfText(path)
  return bytes === undefined ? path : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function openFileSync(path: string, flags: string | number = READ_AT_ONCE, mode?: number): SyncFile {
  const fd = openSync(systemPath(path), flags, mode)
  let waiting = 0
  let isToClose = false
  // The number of a closed file is that of the next one: it is closed when nothing waits for the disk any more.
  const later = (call: typeof fsync) =>
    new Promise<void>((resolve, reject) => {
      waiting++
      call(fd, (error) => {
        waiting--
        if (isToClose && waiting === 0) closeSync(fd)
        if (error) reject(error)
        else resolve()
      })
    })
  return {
    statSync: (options: BigInts): FileStat => fstatSync(fd, options),
    readSync: (buffer, offset, length, position) => readSync(fd, buffer, offset, length, position),
    writeSync: (buffer, offset, length, position) => writeSync(fd, buffer, offset, length, position),
    truncateSync: (length) => ftruncateSync(fd, length),
    chmodSync: (mode) => fchmodSync(fd, mode),
    chownSync: (uid, gid) => fchownSync(fd, uid, gid),
    sync: () => later(fsync),
    syncSync: () => fsyncSync(fd),
    datasync: () => later(fdatasync),
    datasyncSync: () => fdatasyncSync(fd),
    closeSync: () => {
      isToClose = true
      if (waiting === 0) closeSync(fd)
    },
  }
}
