import { join, sep } from "node:path"

// The process of a lock that is found may be this one. Then its pid says nothing, because this process lives: what decides
// is whether a lease of this process still relies on the lock. Two kinds have none. A lock that could not be removed when its
// lease ended was abandoned. And a lock whose folder was renamed lies where its lease does not write, since a lease checks its
// own path before each write. No token comes twice, so what is known of one never applies to another lock.

/** By token: where the lease put its locks. */
const held = new Map<string, Set<string>>()
const abandoned = new Set<string>()

/** A lease of this process has a lock at the path. */
export function noteLock(token: string, path: string): void {
  const paths = held.get(token)
  if (paths) paths.add(path)
  else held.set(token, new Set([path]))
}

/** The lease has ended, and its locks are removed. */
export function forgetLocks(token: string): void {
  held.delete(token)
  abandoned.delete(token)
}

/** The lease has ended, and a lock of it may still be somewhere: the next caller in this process can take it. */
export function abandonLocks(token: string): void {
  held.delete(token)
  abandoned.add(token)
}

export function isAbandonedLock(token: string): boolean {
  return abandoned.has(token)
}

/** Whether a lock of this process may be in a folder, or in one in it: an abandoned one may be anywhere. */
export function mayHaveLocksIn(folder: string): boolean {
  if (abandoned.size > 0) return true
  const start = join(folder, sep)
  for (const paths of held.values()) for (const path of paths) if (path.startsWith(start)) return true
  return false
}

/** Where the locks of a lease of this process are; undefined where no such lease is known. */
export function placesOfLock(token: string): ReadonlySet<string> | undefined {
  return held.get(token)
}
