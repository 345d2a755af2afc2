import { join } from "node:path"
import { errnoOf, type FsPort, isGone, isStat, statMany, toStorageError } from "@treelog-internal/fs"

/** A file below the folder that Claude Code keeps beside a session. */
export interface BesideFile {
  /** A relative path with `/`, such as `subagents/agent-a275ff0.jsonl`. */
  readonly name: string
  /** An absolute path. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** What belongs to the session: transcripts of sub-agents, and results that were too long for the file. */
const FOLDERS = ["subagents", "tool-results"]

/** The files beside a session, by name. Links are not followed. @param key the path of the session's file @throws StorageError */
export async function besideFiles(fs: FsPort, key: string): Promise<BesideFile[]> {
  const folder = key.replace(/\.jsonl$/, "")
  if (folder === key) return []
  const found: BesideFile[] = []
  for (const name of FOLDERS) await walk(fs, join(folder, name), name, found)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function isSubagent({ name }: BesideFile): boolean {
  return name.startsWith("subagents/") && name.endsWith(".jsonl")
}

async function walk(fs: FsPort, folder: string, prefix: string, found: BesideFile[]): Promise<void> {
  try {
    const entries = await fs.readdir(folder)
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    const stats = await statMany(
      fs,
      files.map((name) => join(folder, name)),
    )
    for (const [index, name] of files.entries()) {
      const stat = stats[index]
      if (isStat(stat) && stat.isFile())
        found.push({ name: `${prefix}/${name}`, path: join(folder, name), size: Number(stat.size) })
    }
    for (const entry of entries)
      if (entry.isDirectory()) await walk(fs, join(folder, entry.name), `${prefix}/${entry.name}`, found)
  } catch (error) {
    if (isGone(error)) return
    throw errnoOf(error) === undefined ? error : toStorageError(error, folder, "list")
  }
}
