import { watch } from "node:fs"
import {
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
} from "node:fs/promises"
import type { FsPort } from "./fs-port.js"

/** The file system of Node. */
export const nodeFs: FsPort = {
  open,
  stat,
  lstat,
  realpath,
  readlink,
  opendir,
  mkdir,
  link,
  symlink,
  rename,
  unlink,
  rm,
  watch,
}
