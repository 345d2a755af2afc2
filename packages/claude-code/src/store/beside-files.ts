import { basename, dirname, join } from "node:path"
import { errnoOf, type FolderEntry, type FsPort, isGone, isStat, statMany, toStorageError } from "@treelog-internal/fs"
import { EndLines } from "../facts/end-lines.js"
import { FileBytes } from "./file-bytes.js"

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
  const found = await agentsBeside(fs, key)
  for (const name of FOLDERS) await walk(fs, join(folder, name), name, found)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function isSubagent({ name }: BesideFile): boolean {
  return /^(?:subagents\/.*)?agent-[^/]*\.jsonl$/.test(name)
}

/** So much of the start of a transcript is read to see whose it is. Bytes. */
const HEAD = 64 * 1024
/** The session that each transcript names, by path, size and time: they are asked for once for each session of a project. */
const owners = new Map<string, string | undefined>()

/** The transcripts of sub-agents that version 2.0 wrote beside its sessions: each names its session. */
async function agentsBeside(fs: FsPort, key: string): Promise<BesideFile[]> {
  const folder = dirname(key)
  const names = (await entriesOf(fs, folder)).filter((entry) => entry.isFile() && /^agent-.*\.jsonl$/.test(entry.name))
  const paths = names.map(({ name }) => join(folder, name))
  const found: BesideFile[] = []
  for (const [index, stat] of (await statMany(fs, paths)).entries()) {
    const path = paths[index]
    if (path === undefined || !isStat(stat) || !stat.isFile()) continue
    const state = `${path} ${stat.size} ${stat.mtimeNs}`
    if (!owners.has(state)) owners.set(state, ownerOf(new FileBytes(fs, path, Number(stat.size))))
    if (owners.get(state) === basename(key, ".jsonl"))
      found.push({ name: basename(path), path, size: Number(stat.size) })
  }
  return found
}

function ownerOf(source: FileBytes): string | undefined {
  const lines = new EndLines(source.read(0, Math.min(HEAD, source.size)), new Uint8Array())
  for (const { value } of lines.fromStart()) if (typeof value.sessionId === "string") return value.sessionId
  return undefined
}

/** None where there is no such folder. @throws StorageError */
async function entriesOf(fs: FsPort, folder: string): Promise<FolderEntry[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    if (isGone(error)) return []
    throw errnoOf(error) === undefined ? error : toStorageError(error, folder, "list")
  }
}

async function walk(fs: FsPort, folder: string, prefix: string, found: BesideFile[]): Promise<void> {
  const entries = await entriesOf(fs, folder)
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
}
