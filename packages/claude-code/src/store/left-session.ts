import { basename } from "node:path"
import type { SessionFacts } from "@treelog/session-core/adapter"
import type { SourceSession } from "@treelog-internal/agent-files"
import { type FsPort, isStat, statMany } from "@treelog-internal/fs"
import { SourceIndex } from "../source/source-index.js"
import { besideFiles, isSubagent } from "./beside-files.js"
import { headOfFile } from "./file-bytes.js"

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

/** What a list shows of it: nobody said anything in it. */
export async function leftFacts(fs: FsPort, key: string): Promise<SessionFacts> {
  const files = (await besideFiles(fs, key)).filter(isSubagent)
  const heads = files.map(({ path }) => new SourceIndex(headOfFile(fs, path, HEAD)).first)
  const first = heads.find(({ time }) => time !== undefined)
  const created = Date.parse(first?.time ?? "") || 0
  return {
    id: basename(key, ".jsonl"),
    cwd: first?.cwd ?? "",
    created,
    modified: created,
    firstMessage: "",
    size: files.reduce((sum, { size }) => sum + size, 0),
    status: "unknown",
    kind: "empty",
  }
}

/** So much of the start of a transcript is read. Bytes. */
const HEAD = 64 * 1024
