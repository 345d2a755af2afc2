import { statSync, watch } from "node:fs"
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
import type { FsPort } from "./fs-port.js"
import { openFileSync } from "./sync-file.js"

/** The file system of Node. */
export const nodeFs: FsPort = {
  open,
  openSync: openFileSync,
  stat,
  statSync: (path) => statSync(path, { bigint: true, throwIfNoEntry: false }),
  lstat,
  realpath,
  readlink,
  readdir: (path) => readdir(path, { withFileTypes: true }),
  mkdir,
  link,
  symlink,
  rename,
  unlink,
  rm,
  rmdir,
  watch,
}
