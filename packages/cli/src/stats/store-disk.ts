import { dirname, join } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { artifactsFolder } from "@treelog/storage-fs"
import { lstatIfThere, nodeFs } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import { storedBlobs } from "../blobs/session-blobs.js"
import { Trashes } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { projectGroups } from "../sessions/scope.js"
import type { Failure } from "../sessions/stored-keys.js"
import { folderSize } from "./disk-use.js"

/** Disk space of the sessions of one project. Bytes. */
export interface ProjectDisk {
  /** Its folder. Empty for sessions that cannot be read. */
  readonly cwd: string
  readonly sessions: number
  readonly session: number
  readonly artifacts: number
}

/** Disk space of a store, by purpose. Bytes. */
export interface StoreDisk {
  /** The largest first. */
  readonly projects: readonly ProjectDisk[]
  readonly sessions: { readonly count: number; readonly bytes: number }
  readonly artifacts: number
  /** What else is among the sessions: backups, locks, files of other programs. */
  readonly beside: number
  readonly trash: { readonly count: number; readonly bytes: number }
  readonly blobs: { readonly folder: string; readonly count: number; readonly bytes: number }
  /** What `blobs gc` took away, and anything else in the folder of the blobs. */
  readonly besideBlobs: number
  readonly history: number
  readonly total: number
  readonly unreadable: readonly Failure[]
}

/** Adds up a whole store. Opens no session that a list knows. */
export async function diskOfStore(context: CommandContext, sessions: Sessions): Promise<StoreDisk> {
  const progress = new Progress(context)
  const projects = new Map<string, { -readonly [Key in keyof ProjectDisk]: ProjectDisk[Key] }>()
  const folders = new Set<string>()
  const unreadable: Failure[] = []
  const groupOf = projectGroups()
  let count = 0
  for await (const info of listSessions(sessions.storage, undefined, { signal: context.io.interrupted })) {
    count += 1
    if (sessions.files) folders.add(dirname(info.path))
    if (info.error) unreadable.push({ path: info.path, error: info.error })
    const cwd = groupOf(info.cwd)
    const project = projects.get(cwd) ?? { cwd, sessions: 0, session: 0, artifacts: 0 }
    projects.set(cwd, project)
    project.sessions += 1
    project.session += info.size
    project.artifacts += sessions.files ? await artifactsSize(info) : 0
    await progress.show(`Scanned ${plural(count, "session")}`)
  }
  const { items, failures } = sessions.files ? await (await Trashes.of(context)).list() : { items: [], failures: [] }
  const trash = { count: items.length, bytes: 0 }
  for (const { path, from } of items) {
    trash.bytes += await folderSize(dirname(path))
    folders.add(dirname(from))
  }
  const all = [...projects.values()].sort((a, b) => sizeOf(b) - sizeOf(a) || (a.cwd < b.cwd ? -1 : 1))
  const known = { count, bytes: sumOf(all, "session") }
  const artifacts = sumOf(all, "artifacts")
  let within = 0
  for (const folder of folders) within += await folderSize(folder)
  const blobs = await blobsOf(sessions)
  const beside = Math.max(0, within - known.bytes - artifacts - trash.bytes)
  const folder = storedBlobs(sessions)?.folder
  const besideBlobs = folder === undefined ? 0 : Math.max(0, (await folderSize(folder)) - blobs.bytes)
  // That of a database is on this machine, and belongs to treelog's own store.
  const history = sessions.files ? await historySize(sessions) : 0
  await progress.clear()
  const total = known.bytes + artifacts + beside + trash.bytes + blobs.bytes + besideBlobs + history
  const parts = { sessions: known, artifacts, beside, trash, blobs, besideBlobs, history, total }
  return { projects: all, ...parts, unreadable: [...unreadable, ...failures] }
}

async function artifactsSize({ path }: SessionInfo): Promise<number> {
  const folder = artifactsFolder(path)
  return folder === undefined ? 0 : folderSize(folder)
}

async function blobsOf(sessions: Sessions): Promise<StoreDisk["blobs"]> {
  const place = storedBlobs(sessions)
  const store = await place?.open("read")
  let [count, bytes] = [0, 0]
  if (store)
    for await (const { size } of store.list()) {
      count += 1
      bytes += size
    }
  return { folder: place?.name ?? "", count, bytes }
}

/** The database, and what SQLite keeps beside it while it is in use. */
async function historySize({ historyDir }: Sessions): Promise<number> {
  let size = 0
  for (const name of ["history.db", "history.db-wal", "history.db-shm"])
    size += Number((await lstatIfThere(nodeFs, join(historyDir, name)))?.size ?? 0)
  return size
}

function sizeOf({ session, artifacts }: ProjectDisk): number {
  return session + artifacts
}

function sumOf(projects: readonly ProjectDisk[], field: "session" | "artifacts"): number {
  return projects.reduce((sum, project) => sum + project[field], 0)
}
