import { isAbsolute, relative, resolve } from "node:path"
import { nodeCrypto } from "../lazy-modules.js"

// A longer name is refused by nearly every file system.
const MAX_NAME_BYTES = 255

/**
 * The folder name that sessions of a working directory are kept under (FORMAT.md, section 1). Several directories may
 * share one. A name beyond 255 bytes is cut and ends with a hash of the whole: a deep directory has sessions too. Sessions without a
 * directory have `----`.
 */
export function bucketName(cwd: string): string {
  return fitted(`--${dashed(cwd && resolve(cwd).replace(/^[/\\]/, ""))}--`)
}

/** Where the named folders are, for the bucket names of xcsh and omp. */
export interface KnownFolders {
  readonly home: string
  readonly tmp: string
}

/**
 * The name of a bucket as omp and xcsh have it: by the path within the home folder or that of temporary files, where it lies in one of them. They
 * take all three paths without links.
 */
export function relativeBucketName(cwd: string, { home, tmp }: KnownFolders): string {
  return inHomeName(cwd, home) ?? inTmpName(cwd, tmp) ?? bucketName(cwd)
}

/** The names of all buckets that may hold sessions of the directory: ours and pi's, then those of xcsh and omp. */
export function bucketNames(cwd: string, { home, tmp }: KnownFolders): string[] {
  return [bucketName(cwd), inHomeName(cwd, home), inTmpName(cwd, tmp)].filter((name) => name !== undefined)
}

function inHomeName(cwd: string, home: string): string | undefined {
  const within = pathWithin(home, cwd)
  return within === undefined ? undefined : fitted(`-${dashed(within)}`)
}

function inTmpName(cwd: string, tmp: string): string | undefined {
  const within = pathWithin(tmp, cwd)
  return within === undefined ? undefined : fitted(within === "" ? "-tmp" : `-tmp-${dashed(within)}`)
}

/** A name that begins with two dots counts as outside, as it does for omp and xcsh. */
function pathWithin(folder: string, path: string): string | undefined {
  const within = relative(resolve(folder), resolve(path))
  return within.startsWith("..") || isAbsolute(within) ? undefined : within
}

function dashed(path: string): string {
  return path.replace(/[/\\:]/g, "-")
}

function fitted(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const ending = `-${nodeCrypto().createHash("sha256").update(name).digest("hex").slice(0, 16)}--`
  let fitting = ""
  let left = MAX_NAME_BYTES - ending.length
  for (const character of name) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    fitting += character
  }
  return fitting + ending
}
