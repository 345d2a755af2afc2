import { realpathSync, statSync, watch } from "node:fs"
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
} from "node:fs/promises"
import { join } from "node:path"
import { textOfBytes } from "@treelog/session-core/adapter"
import type { FolderEntry, FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"
import { openFileSync } from "./sync-file.js"
import { systemPath } from "./system-path.js"

/**
 * The file system of Node. It takes and gives names as bytes: paths are the text that stands for them (see `textOfBytes` of
 * `@treelog/session-core`), also of names that are not valid UTF-8.
 */
export const nodeFs: FsPort = {
  open: (path, flags, mode) => open(systemPath(path), flags, mode),
  openSync: openFileSync,
  stat: (path, options) => stat(systemPath(path), options),
  statSync: (path) => statSync(systemPath(path), { bigint: true, throwIfNoEntry: false }),
  lstat: (path, options) => lstat(systemPath(path), options),
  realpath: async (path) => textOfBytes(await realpath(systemPath(path), "buffer")),
  realpathSync: (path) => textOfBytes(realpathSync.native(systemPath(path), "buffer")),
  readlink: async (path) => textOfBytes(await readlink(systemPath(path), "buffer")),
  readdir: entriesOf,
  mkdir: (path, options) => mkdir(systemPath(path), options),
  link: (existing, path) => link(systemPath(existing), systemPath(path)),
  symlink: (target, path) => symlink(systemPath(target), systemPath(path)),
  rename: (from, to) => rename(systemPath(from), systemPath(to)),
  unlink: (path) => unlink(systemPath(path)),
  rm: (path, options) => rm(systemPath(path), options),
  rmdir: (path) => rmdir(systemPath(path)),
  watch: (folder, options, listener) =>
    watch(systemPath(folder), { ...options, encoding: "buffer" }, (event, name) =>
      listener(event, name && textOfBytes(name)),
    ),
}

/**
 * With the types as the system gives them along with the names. Where bytes of a name were lost on the way, all names of the folder are
 * read as bytes, and the types asked for one by one. So they are where names and types cannot be had at once: where the system
 * does not know a type, Node asks for it under the lossy name.
 */
async function entriesOf(path: string): Promise<FolderEntry[]> {
  const folder = systemPath(path)
  const entries =
    typeof folder === "string" ? await readdir(folder, { withFileTypes: true }).catch(ifMissing) : undefined
  if (entries?.every(({ name }) => !name.includes("\uFFFD"))) return entries
  const names = await readdir(folder, "buffer")
  const found = await Promise.all(names.map((bytes) => entryAt(path, textOfBytes(bytes))))
  return found.filter((entry) => entry !== undefined)
}

/** Undefined for what went away meanwhile. */
async function entryAt(folder: string, name: string): Promise<FolderEntry | undefined> {
  const stats = await lstat(systemPath(join(folder, name))).catch(ifMissing)
  return stats && Object.assign(stats, { name })
}

function ifMissing(error: unknown): undefined {
  if (!isErrno(error, "ENOENT")) throw error
}
