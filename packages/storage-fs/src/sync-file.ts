import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import type { BigInts, FileStat, SyncFile } from "./fs-port.js"
import { READ_AT_ONCE } from "./plain-file.js"
import { systemPath } from "./system-path.js"

/** Opens a file to be read without promises. */
export function openFileSync(path: string): SyncFile {
  const fd = openSync(systemPath(path), READ_AT_ONCE)
  return {
    statSync: (options: BigInts): FileStat => fstatSync(fd, options),
    readSync: (buffer, offset, length, position) => readSync(fd, buffer, offset, length, position),
    closeSync: () => closeSync(fd),
  }
}
