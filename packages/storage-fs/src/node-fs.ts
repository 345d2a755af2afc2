import { type Dirent, realpathSync, statSync, watch } from "node:fs"
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
import { textOfBytes } from "@treelog/session-core"
import type { FolderEntry, FsPort } from "./fs-port.js"
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
  async readdir(path) {
    const entries = await readdir(systemPath(path), { encoding: "buffer", withFileTypes: true })
    return entries.map((entry) => new ByteNamedEntry(entry))
  },
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

class ByteNamedEntry implements FolderEntry {
  readonly name: string
  readonly #entry: Dirent<Buffer>

  constructor(entry: Dirent<Buffer>) {
    this.name = textOfBytes(entry.name)
    this.#entry = entry
  }

  isFile(): boolean {
    return this.#entry.isFile()
  }

  isDirectory(): boolean {
    return this.#entry.isDirectory()
  }

  isSymbolicLink(): boolean {
    return this.#entry.isSymbolicLink()
  }
}
