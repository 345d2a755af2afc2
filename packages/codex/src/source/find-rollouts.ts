import { join, sep } from "node:path"
import { entriesIn, type SourceSession, unreadable } from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import type { NamedRollout } from "../convert/thread-plan.js"
import { eachOnce, rolloutName } from "../rollout/rollout-name.js"

/** The rollouts in a folder of Codex, whose names are absolute paths, and the folders that cannot be read. */
export interface FoundRollouts {
  readonly rollouts: readonly NamedRollout[]
  readonly errors: readonly SourceSession[]
}

/** Folders of rollouts, those that are preferred first. */
const FOLDERS = ["sessions", "archived_sessions"]

/** `sessions/2026/11/22`. */
const DEEPEST = 3

/** So often the folders are read again. */
const ATTEMPTS = 5

/**
 * Finds rollouts by their names. Of a file that is there twice, the plain one counts, and the one that is not archived. One that is taken
 * out of the archive meanwhile would be in neither folder when that is read: both are then read again.
 */
export async function findRollouts(fs: FsPort, home: string): Promise<FoundRollouts> {
  for (let attempt = 1; ; attempt++) {
    const archived = await rolloutsIn(fs, home, FOLDERS.slice(1))
    const all = await rolloutsIn(fs, home, FOLDERS)
    const found = new Set(all.rollouts.map(({ generation }) => generation))
    if (attempt === ATTEMPTS || archived.rollouts.every(({ generation }) => found.has(generation))) return all
  }
}

async function rolloutsIn(fs: FsPort, home: string, folders: readonly string[]): Promise<FoundRollouts> {
  const found: NamedRollout[] = []
  const errors: SourceSession[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    const [entries] = await Promise.allSettled([entriesIn(fs, folder)])
    if (entries.status === "rejected") {
      errors.push(unreadable(folder, entries.reason))
      return
    }
    for (const entry of entries.value) {
      const path = folder + sep + entry.name
      const name = rolloutName(entry.name)
      if (name && !entry.isDirectory()) found.push({ ...name, name: path })
      else if (!name && depth < DEEPEST && !entry.isFile()) await visit(path, depth + 1)
    }
  }
  for (const folder of folders) await visit(join(home, folder), 0)
  return { rollouts: eachOnce(found), errors }
}
