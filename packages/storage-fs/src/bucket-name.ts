import { isAbsolute, relative, resolve } from "node:path"
import { nodeCrypto } from "./lazy-modules.js"

// A longer name is refused by nearly every file system.
const MAX_NAME_BYTES = 255

/**
 * The folder name that sessions of a working directory are kept under (FORMAT.md, section 1). Several directories may
 * share one. A name beyond 255 bytes is cut and ends with a hash of the whole: a deep directory has sessions too.
 */
export function bucketName(cwd: string): string {
  return fitted(`--${dashed(resolve(cwd).replace(/^[/\\]/, ""))}--`)
}

/** Where the named folders are, for the bucket names of xcsh and omp. */
export interface KnownFolders {
  readonly home: string
  readonly tmp: string
}

/** The names of all buckets that may hold sessions of the directory: ours and pi's, then those of xcsh and omp. */
export function bucketNames(cwd: string, folders: KnownFolders): string[] {
  const names = [bucketName(cwd)]
  const inHome = pathWithin(folders.home, cwd)
  if (inHome !== undefined) names.push(`-${dashed(inHome)}`)
  const inTmp = pathWithin(folders.tmp, cwd)
  if (inTmp !== undefined) names.push(inTmp === "" ? "-tmp" : `-tmp-${dashed(inTmp)}`)
  return names
}

/** The bucket of another directory, named in the way in which the bucket of the first one is. */
export function bucketNameLike(bucket: string, from: string, to: string, folders: KnownFolders): string {
  const [own, ...others] = bucketNames(to, folders)
  const isAsInTmp = (name: string) => name === "-tmp" || name.startsWith("-tmp-")
  if (bucket === bucketName(from) || !bucketNames(from, folders).includes(bucket)) return own ?? bucketName(to)
  return others.find((name) => isAsInTmp(name) === isAsInTmp(bucket)) ?? bucketName(to)
}

function pathWithin(folder: string, path: string): string | undefined {
  const within = relative(resolve(folder), resolve(path))
  return within === ".." || /^\.\.[/\\]/.test(within) || isAbsolute(within) ? undefined : within
}

function dashed(path: string): string {
  return path.replace(/[/\\:]/g, "-")
}

function fitted(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const ending = `-${nodeCrypto().createHash("sha256").update(name).digest("hex").slice(0, 16)}--`
  let fitting = ""
  let room = MAX_NAME_BYTES - ending.length
  for (const character of name) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    fitting += character
  }
  return fitting + ending
}
