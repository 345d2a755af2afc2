import { dirname, join } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { artifactsFolder } from "@treelog/storage-fs"
import { lstatIfThere, nodeFs } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import { type CommandContext, Progress } from "../../io/command-context.js"
import { folderSize } from "../../sessions/disk-use.js"
import type { CommandSource } from "../../sessions/open-library.js"
import { trashesOf } from "../../sessions/trash-view.js"
import { lookForStores } from "../../store/chosen-store.js"
import { type Sessions, storedBlobs } from "../../store/command-sessions.js"
import { projectGroups } from "../../store/scope.js"
import type { Failure } from "../../store/stored-keys.js"

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

/** Disk space of several stores together, and of each. */
export interface StoresDisk extends StoreDisk {
  /** Only where there are several. The largest first. */
  readonly stores?: readonly ({ readonly store: string } & Omit<StoreDisk, "projects" | "unreadable">)[]
}

/** Adds up whole stores. Opens no session that a list knows. */
export async function diskOfStores(context: CommandContext, stores: readonly CommandSource[]): Promise<StoresDisk> {
  const found: { readonly store: string; readonly disk: StoreDisk }[] = []
  const counted = new Set<string>()
  for (const store of stores)
    found.push({ store: store.program ?? "", disk: await diskOfStore(context, store, counted) })
  const [only, ...others] = found
  if (only && others.length === 0) return only.disk
  const disks = found.map(({ disk }) => disk)
  const ofStores = found
    .map(({ store, disk: { projects: _, unreadable: __, ...disk } }) => ({ store, ...disk }))
    .sort((a, b) => b.total - a.total)
  return { ...sumOfDisks(disks), stores: ofStores }
}

function sumOfDisks(disks: readonly StoreDisk[]): StoreDisk {
  const add = (of: (disk: StoreDisk) => number): number => disks.reduce((sum, disk) => sum + of(disk), 0)
  const both = (name: "sessions" | "trash" | "blobs") => {
    return { count: add((disk) => disk[name].count), bytes: add((disk) => disk[name].bytes) }
  }
  const projects = new Map<string, Project>()
  for (const one of disks.flatMap((disk) => disk.projects)) addTo(projects, one.cwd, one)
  return {
    projects: largestFirst(projects.values()),
    sessions: both("sessions"),
    artifacts: add(({ artifacts }) => artifacts),
    beside: add(({ beside }) => beside),
    trash: both("trash"),
    blobs: { folder: disks.find(({ blobs }) => blobs.folder !== "")?.blobs.folder ?? "", ...both("blobs") },
    besideBlobs: add(({ besideBlobs }) => besideBlobs),
    history: add(({ history }) => history),
    total: add(({ total }) => total),
    unreadable: disks.flatMap(({ unreadable }) => unreadable),
  }
}

type Project = { -readonly [Key in keyof ProjectDisk]: ProjectDisk[Key] }

function addTo(projects: Map<string, Project>, cwd: string, more: Omit<ProjectDisk, "cwd">): void {
  const project = projects.get(cwd) ?? { cwd, sessions: 0, session: 0, artifacts: 0 }
  projects.set(cwd, project)
  project.sessions += more.sessions
  project.session += more.session
  project.artifacts += more.artifacts
}

/** @param counted the folders of blobs that another store has counted: stores can share one */
async function diskOfStore(context: CommandContext, sessions: CommandSource, counted: Set<string>): Promise<StoreDisk> {
  const progress = new Progress(context)
  const projects = new Map<string, Project>()
  const folders = new Set<string>()
  const unreadable: Failure[] = []
  const groupOf = projectGroups(context)
  let count = 0
  for await (const info of listSessions(sessions.storage, undefined, { signal: context.io.interrupted })) {
    count += 1
    if (sessions.files) folders.add(dirname(info.path))
    if (info.error && info.error.code !== "InvalidSessionError") unreadable.push({ path: info.path, error: info.error })
    const cwd = groupOf(info.cwd, () => info.repository)
    const artifacts = sessions.files ? await artifactsSize(info) : 0
    addTo(projects, cwd, { sessions: 1, session: info.size, artifacts })
    await progress.show(`Scanned ${plural(count, "session")}`)
  }
  const { files } = sessions
  const { items, failures } = files ? await trashesOf(context, [files]).list() : { items: [], failures: [] }
  const trash = { count: items.length, bytes: 0 }
  for (const { path, from } of items) {
    trash.bytes += await folderSize(dirname(path))
    folders.add(dirname(from))
  }
  const all = largestFirst(projects.values())
  const known = { count, bytes: sumOf(all, "session") }
  const artifacts = sumOf(all, "artifacts")
  let within = 0
  for (const folder of folders) within += await folderSize(folder)
  if (sessions.agent !== undefined) within = await agentSize(context, sessions.program)
  const place = storedBlobs(sessions)
  const isCounted = place !== undefined && counted.has(place.name)
  if (place) counted.add(place.name)
  const blobs = isCounted ? { folder: place.name, count: 0, bytes: 0 } : await blobsOf(sessions)
  const beside = Math.max(0, within - known.bytes - artifacts - trash.bytes)
  const besideBlobs =
    isCounted || place?.folder === undefined ? 0 : Math.max(0, (await folderSize(place.folder)) - blobs.bytes)
  // The history of a database's sessions is on this machine, and belongs to treelog's own store.
  const history = sessions.files ? await databaseSize(join(sessions.historyDir, "history.db")) : 0
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
  const store = await place?.read()
  let [count, bytes] = [0, 0]
  if (store)
    for await (const { size } of store.list()) {
      count += 1
      bytes += size
    }
  return { folder: place?.name ?? "", count, bytes }
}

/** All that an agent has where the sessions of a store are. @param name as `storeNamed` takes it */
async function agentSize(context: CommandContext, name: string | undefined): Promise<number> {
  const place = (await lookForStores(context)).places.find(({ store }) => store === name)
  let size = 0
  for (const path of place ? [place.sessions, ...(place.alsoSessions ?? [])] : []) {
    const stat = await lstatIfThere(nodeFs, path)
    size += stat?.isDirectory() ? await folderSize(path) : await databaseSize(path)
  }
  return size
}

/** A file, and what SQLite keeps beside a database while it is in use. */
async function databaseSize(path: string): Promise<number> {
  let size = 0
  for (const name of [path, `${path}-wal`, `${path}-shm`]) size += Number((await lstatIfThere(nodeFs, name))?.size ?? 0)
  return size
}

function largestFirst(projects: Iterable<ProjectDisk>): ProjectDisk[] {
  return [...projects].sort((a, b) => sizeOf(b) - sizeOf(a) || (a.cwd < b.cwd ? -1 : 1))
}

function sizeOf({ session, artifacts }: ProjectDisk): number {
  return session + artifacts
}

function sumOf(projects: readonly ProjectDisk[], field: "session" | "artifacts"): number {
  return projects.reduce((sum, project) => sum + project[field], 0)
}
