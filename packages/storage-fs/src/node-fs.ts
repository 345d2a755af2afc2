import { watch } from "node:fs"
import { link, lstat, mkdir, open, readlink, realpath, rename, rm, symlink, unlink } from "node:fs/promises"
import type { FsPort } from "./fs-port.js"
import { quickOpendir, quickStat } from "./quick-fs.js"

/** The file system of Node. */
export const nodeFs: FsPort = {
  open,
  stat: quickStat,
  lstat,
  realpath,
  readlink,
  opendir: quickOpendir,
  mkdir,
  link,
  symlink,
  rename,
  unlink,
  rm,
  watch,
}
