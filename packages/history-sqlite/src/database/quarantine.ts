import { existsSync, renameSync, statSync } from "node:fs"

/** What SQLite keeps beside a database, and what belongs to it for good. The index of the log is made anew. */
const COMPANIONS = ["-wal", "-shm"]

/** Which file lies at a path; undefined when none does. */
export function fileIdentity(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/**
 * Renames a damaged database, so that a fresh one can be made at its path. Nothing happens when another process did so
 * before: the file at the path is then no longer the one with this identity.
 * @returns the new path, or undefined
 */
export function quarantine(path: string, identity: string | undefined, now: number): string | undefined {
  if (identity === undefined || fileIdentity(path) !== identity) return undefined
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-")
  let aside = `${path}.corrupt-${stamp}`
  for (let number = 2; existsSync(aside); number++) aside = `${path}.corrupt-${stamp}.${number}`
  renameSync(path, aside)
  for (const companion of COMPANIONS) if (existsSync(path + companion)) renameSync(path + companion, aside + companion)
  return aside
}
