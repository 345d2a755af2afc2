import { basename, dirname, join, sep } from "node:path"
import { OpenedFile } from "@treelog-internal/agent-files"
import { entriesIn, type FolderEntry, type FsPort, isStat, statMany, withStorageErrorsSync } from "@treelog-internal/fs"
import { isKeptResult } from "../plan/part-order.js"
import { SourceIndex } from "../source/source-index.js"
import { appRecordPath, isNote, NOTES } from "./noted-beside.js"

/** A file below the folder that Claude Code keeps beside a session. */
export interface BesideFile {
  /** A relative path with `/`, such as `subagents/agent-a275ff0.jsonl`. */
  readonly name: string
  /** An absolute path. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: number
}

/** What belongs to the session: transcripts of sub-agents, and results that were too long for the file. */
const FOLDERS = ["subagents", "tool-results"]

/** The files beside a session, by name. Links are not followed. @param key the path of the session's file @throws StorageError */
export async function besideFiles(fs: FsPort, key: string): Promise<BesideFile[]> {
  const folder = key.replace(/\.jsonl$/, "")
  if (folder === key) return []
  const project = dirname(key)
  const agents = await agentsOf(fs, project, await transcriptsIn(fs, project))
  const record = await appRecordFile(fs, project)
  const found = [...(agents.get(basename(folder)) ?? []), ...(await filesIn(fs, folder)), ...record]
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Those in the folder of a session. @throws StorageError */
export async function filesIn(fs: FsPort, folder: string): Promise<BesideFile[]> {
  const found: BesideFile[] = []
  for (const name of FOLDERS) await walk(fs, join(folder, name), `${name}/`, found)
  const notes = NOTES.map((name) => ({ name, isFile: () => true }))
  return [...found, ...(await filesAmong(fs, folder, notes))]
}

/** The file in which the app of Claude says what it knows of the sessions in the folder of a project: none outside of Cowork. @throws StorageError */
export async function appRecordFile(fs: FsPort, project: string): Promise<BesideFile[]> {
  const path = appRecordPath(project + sep)
  return path === undefined ? [] : filesAmong(fs, dirname(path), [{ name: basename(path), isFile: () => true }])
}

/** What changes when a part is added, grows or goes; empty where there is none. */
export function partsVersion(files: readonly BesideFile[]): string {
  const parts = files.filter((file) => isPart(file) || isNote(file))
  if (parts.length === 0) return ""
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const modified = parts.reduce((last, part) => Math.max(last, part.modified), 0)
  return ` parts ${parts.length} ${size} ${modified}`
}

/** Whether it is part of what the session is converted to. */
export function isPart(file: BesideFile): boolean {
  return isSubagent(file) || isKeptResult(file.name)
}

export function isSubagent({ name }: BesideFile): boolean {
  return /^(?:subagents\/.*)?agent-[^/]*\.jsonl$/.test(name)
}

/** So much of the start of a file is read to see whose it is. Bytes. */
export const HEAD = 64 * 1024

/** The start of a file: all of a short one. @throws SessionNotFoundError, StorageError */
export function headOfFile(fs: FsPort, path: string): Buffer {
  const file = new OpenedFile(fs, path)
  try {
    return file.read(0, Math.min(HEAD, file.size))
  } finally {
    file.close()
  }
}

/** What is older has no file that came after it was read: file systems round times by up to two seconds. Milliseconds. */
const SETTLED_AFTER = 3000

/** The transcripts in the folder of a project, and its time then: they are asked for once for each of its sessions, which may be thousands. */
const transcripts = new Map<string, { readonly time: bigint; readonly files: readonly FolderEntry[] }>()

async function transcriptsIn(fs: FsPort, folder: string): Promise<readonly FolderEntry[]> {
  const time = withStorageErrorsSync(folder, "list", () => fs.statSync(folder))?.mtimeNs
  const known = transcripts.get(folder)
  if (time !== undefined && known?.time === time) return known.files
  const files = (await entriesIn(fs, folder)).filter(isTranscript)
  if (time !== undefined && Date.now() - Number(time) / 1e6 > SETTLED_AFTER) transcripts.set(folder, { time, files })
  return files
}

function isTranscript({ name }: FolderEntry): boolean {
  return /^agent-.*\.jsonl$/.test(name)
}

/** The session that each transcript names, by path, size and time: they are asked for once for each session of a project. */
const owners = new Map<string, string | undefined>()

/**
 * The transcripts of sub-agents that version 2.0 wrote beside its sessions, by the session that each names.
 * @param entries of the folder
 */
export async function agentsOf(
  fs: FsPort,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<Map<string | undefined, BesideFile[]>> {
  const agents = new Map<string | undefined, BesideFile[]>()
  for (const file of await filesAmong(fs, folder, entries.filter(isTranscript))) {
    const state = `${file.path} ${file.size} ${file.modified}`
    if (!owners.has(state)) owners.set(state, SourceIndex.of(headOfFile(fs, file.path)).first.sessionId)
    agents.set(owners.get(state), [...(agents.get(owners.get(state)) ?? []), file])
  }
  return agents
}

async function walk(fs: FsPort, folder: string, prefix: string, found: BesideFile[]): Promise<void> {
  const entries = await entriesIn(fs, folder)
  found.push(...(await filesAmong(fs, folder, entries, prefix)))
  for (const entry of entries)
    if (entry.isDirectory()) await walk(fs, join(folder, entry.name), `${prefix}${entry.name}/`, found)
}

/** @param prefix of their names */
async function filesAmong(
  fs: FsPort,
  folder: string,
  entries: readonly Pick<FolderEntry, "name" | "isFile">[],
  prefix = "",
): Promise<BesideFile[]> {
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => ({ name, path: join(folder, name) }))
  const stats = await statMany(
    fs,
    files.map(({ path }) => path),
  )
  return files.flatMap(({ name, path }, index) => {
    const stat = stats[index]
    if (!isStat(stat) || !stat.isFile()) return []
    return [{ name: prefix + name, path, size: Number(stat.size), modified: Number(stat.mtimeNs) }]
  })
}
