import { basename, dirname } from "node:path"
import type { FsPort } from "@treelog-internal/fs"
import { isFolder } from "../artifacts/artifacts.js"
import { artifactsFolder } from "../place/session-name.js"

/** What rewrites keep beside a session (FORMAT.md, section 1). */
const KEPT = /^(.+\.jsonl)\.[\w-]+\.bak(?:\.\d+)?(?:\.changes(?:\.\d+)?\.json)?$/

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
  /** By folder: what was kept of its sessions, by their names. */
  readonly #kept = new Map<string, ReadonlyMap<string, string[]>>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  async of(key: string): Promise<string[]> {
    const [folder, artifacts] = [dirname(key), artifactsFolder(key)]
    const hasArtifacts = artifacts !== undefined && (await isFolder(this.#fs, artifacts))
    const kept = this.#kept.get(folder) ?? (await keptIn(this.#fs, folder))
    this.#kept.set(folder, kept)
    return [...(hasArtifacts ? [basename(artifacts)] : []), ...(kept.get(basename(key)) ?? [])]
  }
}

async function keptIn(fs: FsPort, folder: string): Promise<ReadonlyMap<string, string[]>> {
  const kept = new Map<string, string[]>()
  const names = (await fs.readdir(folder)).map(({ name }) => name)
  for (const name of names.sort()) {
    const session = KEPT.exec(name)?.[1]
    if (session !== undefined) kept.set(session, [...(kept.get(session) ?? []), name])
  }
  return kept
}
