import { basename } from "node:path"
import type { SourceSession } from "@treelog-internal/agent-files"
import { type FsPort, isStat, statMany } from "@treelog-internal/fs"
import { besideFiles, isSubagent } from "./beside-files.js"

/** A session whose own file is gone, and whose sub-agents are left; undefined where none is. @param key the path that its file had */
export async function leftSession(fs: FsPort, key: string): Promise<SourceSession | undefined> {
  const files = (await besideFiles(fs, key)).filter(isSubagent)
  if (files.length === 0) return undefined
  const stats = (
    await statMany(
      fs,
      files.map(({ path }) => path),
    )
  ).filter(isStat)
  const times = stats.map(({ mtimeNs }) => Number(mtimeNs) / 1e6)
  return {
    key,
    id: basename(key, ".jsonl"),
    size: files.reduce((sum, { size }) => sum + size, 0),
    modified: Math.max(0, ...times),
    version: `left ${stats.map(({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`).join(" ")}`,
  }
}
