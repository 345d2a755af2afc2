import { link, lstat, mkdir, open, readdir, rename, rmdir, stat, unlink, utimes } from "node:fs/promises"
import { bytesOfText, textOfBytes } from "@treelog/session-core/adapter"
import type { FsPort } from "./fs-port.js"

/**
 * The file system of Node. It takes and gives names as bytes: paths are the text that stands for them (see `textOfBytes` of
 * `@treelog/session-core`), also of names that are not valid UTF-8.
 */
export const nodeFs: FsPort = {
  open: (path, flags, mode) => open(systemPath(path), flags, mode),
  stat: (path, options) => stat(systemPath(path), options),
  lstat: (path, options) => lstat(systemPath(path), options),
  readdir: async (path) => (await readdir(systemPath(path), "buffer")).map(textOfBytes),
  mkdir: (path, options) => mkdir(systemPath(path), options),
  rmdir: (path) => rmdir(systemPath(path)),
  link: (existing, path) => link(systemPath(existing), systemPath(path)),
  rename: (from, to) => rename(systemPath(from), systemPath(to)),
  unlink: (path) => unlink(systemPath(path)),
  utimes: (path, accessed, modified) => utimes(systemPath(path), accessed, modified),
}

function systemPath(path: string): string | Buffer {
  const bytes = bytesOfText(path)
  return bytes === undefined ? path : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
