import { join, sep } from "node:path"
import { type SourceSession, unreadable } from "@treelog-internal/agent-files"
import { entriesIn, type FsPort, statMany } from "@treelog-internal/fs"
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
 * @param changed gets when each folder had last changed before it was read
 */
export async function findRollouts(fs: FsPort, home: string, changed?: FolderTimes): Promise<FoundRollouts> {
  for (let attempt = 1; ; attempt++) {
    const archived = await rolloutsIn(fs, home, FOLDERS.slice(1), changed)
    const all = await rolloutsIn(fs, home, FOLDERS, changed)
    const found = new Set(all.rollouts.map(({ generation }) => generation))
    if (attempt === ATTEMPTS || archived.rollouts.every(({ generation }) => found.has(generation))) return all
  }
}

/** A folder that changed so shortly before it was read may change again without another time. Milliseconds. */
const SETTLED = 100

/** Finds them again at the cost of a stat for each folder where none has changed: a search asks for one thread after the other. */
export class KnownRollouts {
  readonly #fs: FsPort
  readonly #home: string
  #known: { readonly found: FoundRollouts; readonly changed: FolderTimes } | undefined

  constructor(fs: FsPort, home: string) {
    this.#fs = fs
    this.#home = home
  }

  async find(): Promise<FoundRollouts> {
    const known = this.#known
    if (known && (await this.#isUnchanged(known.changed))) return known.found
    const latest = BigInt(Date.now() - SETTLED) * 1_000_000n
    const changed: FolderTimes = new Map()
    const found = await findRollouts(this.#fs, this.#home, changed)
    const isSettled = [...changed.values()].every((time = 0n) => time < latest)
    this.#known = isSettled && found.errors.length === 0 ? { found, changed } : undefined
    return found
  }

  async #isUnchanged(changed: FolderTimes): Promise<boolean> {
    const times = await changesOf(this.#fs, [...changed.keys()])
    return [...changed.values()].every((time, at) => times[at] === time)
  }
}

/** When folders last changed, by path; undefined of those that are not there. Nanoseconds since 1970. */
type FolderTimes = Map<string, bigint | undefined>

/** Later than any time: of a folder that cannot be asked. Reading it says why. */
const UNKNOWN = 2n ** 64n

async function changesOf(fs: FsPort, folders: readonly string[]): Promise<(bigint | undefined)[]> {
  const stats = await statMany(fs, folders)
  return stats.map((stat) => (stat instanceof Error ? UNKNOWN : stat?.ctimeNs))
}

async function rolloutsIn(
  fs: FsPort,
  home: string,
  folders: readonly string[],
  changed: FolderTimes | undefined,
): Promise<FoundRollouts> {
  const found: NamedRollout[] = []
  const errors: SourceSession[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    // The first time: a change between two reads is one.
    if (changed && !changed.has(folder)) changed.set(folder, (await changesOf(fs, [folder]))[0])
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
