import { watch } from "node:fs"
import { link, lstat, mkdir, open, opendir, readlink, realpath, rename, rm, symlink, unlink } from "node:fs/promises"
import type { FsPort } from "./fs-port.js"
import { quickStat } from "./quick-stat.js"

/** Node's own 32 make many small steps of a large folder. */
const NAMES_AT_ONCE = 512

/** The file system of Node. */
export const nodeFs: FsPort = {
  open,
  stat: quickStat,
  lstat,
  realpath,
  readlink,
  opendir: (path) => opendir(path, { bufferSize: NAMES_AT_ONCE }),
  mkdir,
  link,
  symlink,
  rename,
  unlink,
  rm,
  watch,
}
