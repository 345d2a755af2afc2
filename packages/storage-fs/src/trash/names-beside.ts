import { basename, dirname } from "node:path"
import type { FsPort } from "@treelog-internal/fs"
import { isFolder } from "../artifacts.js"
import { artifactsFolder, SESSION_SUFFIX } from "../session-name.js"

/** What rewrites keep beside a session (FORMAT.md, section 1). */
const KEPT = /^\.[\w-]+\.bak(?:\.\d+)?(?:\.changes(?:\.\d+)?\.json)?$/

/** Finds the names in a session's folder that belong to it. */
export interface NamesBeside {
  /** Its artifacts, and what was kept of it. No locks, nothing unfinished. */
  of(key: string): Promise<string[]>
}

/** Reads the folder for each session. */
export function namesBeside(fs: FsPort): NamesBeside {
  return { of: (key) => new FolderNames(fs).of(key) }
}

/**
 * Reads each folder once, for many sessions of the same few folders. A backup that another process makes meanwhile is not
 * seen, as if it had been made a moment later; artifacts are looked for at once.
 */
export class FolderNames implements NamesBeside {
  readonly #fs: FsPort
  /** By folder: the names that are not those of sessions, sorted. */
  readonly #names = new Map<string, readonly string[]>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  async of(key: string): Promise<string[]> {
    const [session, artifacts] = [basename(key), artifactsFolder(key)]
    const hasArtifacts = artifacts !== undefined && (await isFolder(this.#fs, artifacts))
    return [...(hasArtifacts ? [basename(artifacts)] : []), ...keptOf(session, await this.#in(dirname(key)))]
  }

  async #in(folder: string): Promise<readonly string[]> {
    const known = this.#names.get(folder) ?? (await namesIn(this.#fs, folder))
    this.#names.set(folder, known)
    return known
  }
}

async function namesIn(fs: FsPort, folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name } of await fs.readdir(folder)) if (!name.endsWith(SESSION_SUFFIX)) names.push(name)
  return names.sort()
}

/** What begins with the session's name stands together. */
function keptOf(session: string, names: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = firstFrom(session, names); names[at]?.startsWith(session); at++) {
    const name = names[at] as string
    if (KEPT.test(name.slice(session.length))) kept.push(name)
  }
  return kept
}

/** The place of the first name that is not before another. */
function firstFrom(name: string, names: readonly string[]): number {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((names[middle] as string) < name) from = middle + 1
    else to = middle
  }
  return from
}
