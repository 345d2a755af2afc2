import { join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { entriesIn } from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import { eachOnce, generationId, type RolloutName, rolloutName } from "../rollout/rollout-name.js"

/** A rollout that was found by its name. */
export interface FoundRollout extends RolloutName {
  /** Absolute. */
  readonly path: string
  readonly generation: string
}

/** The rollouts in a folder of Codex, and the folders that cannot be read. */
export interface FoundRollouts {
  readonly rollouts: readonly FoundRollout[]
  readonly errors: readonly { readonly path: string; readonly error: Error }[]
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
  const found: FoundRollout[] = []
  const errors: { path: string; error: Error }[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    const [entries] = await Promise.allSettled([entriesIn(fs, folder)])
    if (entries.status === "rejected") {
      if (!isTreelogError(entries.reason)) throw entries.reason
      errors.push({ path: folder, error: entries.reason })
      return
    }
    for (const entry of entries.value) {
      const path = folder + sep + entry.name
      const name = rolloutName(entry.name)
      if (name && !entry.isDirectory()) found.push({ ...name, path, generation: generationId(name) })
      else if (!name && depth < DEEPEST && !entry.isFile()) await visit(path, depth + 1)
    }
  }
  for (const folder of folders) await visit(join(home, folder), 0)
  return { rollouts: eachOnce(found), errors }
}
