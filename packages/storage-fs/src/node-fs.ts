import { watch } from "node:fs"
import { link, lstat, mkdir, readlink, realpath, rename, rm, rmdir, symlink, unlink } from "node:fs/promises"
import type { FsPort } from "./fs-port.js"
import { quickOpen, quickOpendir, quickStat } from "./quick-fs.js"
import { openFileSync } from "./sync-file.js"

/** The file system of Node. */
export const nodeFs: FsPort = {
  open: quickOpen,
  openSync: openFileSync,
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
  rmdir,
  watch,
}
