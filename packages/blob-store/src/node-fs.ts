import { link, lstat, mkdir, open, opendir, rename, rmdir, stat, unlink, utimes } from "node:fs/promises"
import type { FsPort } from "./fs-port.js"

/** The file system of Node. */
export const nodeFs: FsPort = { open, stat, lstat, opendir, mkdir, rmdir, link, rename, unlink, utimes }
