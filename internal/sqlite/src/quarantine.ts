import { existsSync, renameSync, statSync } from "node:fs"

/** The files of SQLite beside a database. */
const COMPANIONS = ["-wal", "-shm"]

/** The identity of the file at a path; undefined if there is none. */
export function fileIdentity(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/**
 * Renames a damaged database, so that a new one can be created at its path. Does nothing if another process has done so: the file at
 * the path then has another identity.
 * @returns the new path, or undefined if nothing was renamed
 */
export function quarantine(path: string, identity: string | undefined, now: number): string | undefined {
  if (identity === undefined || fileIdentity(path) !== identity) return undefined
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-")
  let target = `${path}.corrupt-${stamp}`
  for (let number = 2; existsSync(target); number++) target = `${path}.corrupt-${stamp}.${number}`
  renameSync(path, target)
  for (const companion of COMPANIONS) if (existsSync(path + companion)) renameSync(path + companion, target + companion)
  return target
}
