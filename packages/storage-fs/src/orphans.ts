import { dirname, join } from "node:path"
import { type FsPort, isErrno, isStorageFault, lstatIfThere, TemporaryFiles } from "@treelog-internal/fs"
import type { Found } from "./list/list-sessions.js"
import { endedSockets } from "./lock/liveness-socket.js"
import { type FoundLock, newToken, readLock } from "./lock/lock-file.js"
import { ownIdentity } from "./lock/process-identity.js"
import { dropLock, isStale, takeLock } from "./lock/session-lock.js"
import { settleLease } from "./lock/settle-lease.js"
import { SESSION_SUFFIX } from "./place/session-name.js"
import { timeOfPlace, trashFolder } from "./trash/trash-place.js"

// What a killed process could not remove: its lock, its socket, temporary files, a folder in the trash that it made and did not fill.
//
// Why nothing is removed that a process uses. A lock is removed by taking it over as its next holder would, which only the lock of
// a dead process allows, and with it go the temporary files of that lease. Any other temporary file is that of a lease whose lock
// has the same token and is there until the file is gone; so one without that lock has no owner, and as a second reason it must
// have been left alone for an hour. So must a temporary file of what has no lock (breadcrumbs, the list cache): the process that writes it
// takes milliseconds, and where it slept for an hour, its rename fails, which is an error and loses nothing. Of a folder in the
// trash only an empty one is removed.

/** A file whose owner is unknown counts as orphaned when it was not changed for so long. Milliseconds. */
const ABANDONED = 60 * 60 * 1000

/** Locks, and the claims to them. */
const LOCK = /\.jsonl\.lock(?:\.[0-9a-f]{16}|\.\d+-\d+)*$/
const TEMPORARY = /^(.+)\.([0-9a-f]{16})(?:\.old|\.sync)?\.tmp$/

/** Removes orphaned temporary files from folders, once each: for commands that write in a folder anyway. */
export class OrphanRemover {
  /** In which the buckets are, or all sessions. */
  readonly storeFolder: string
  readonly #fs: FsPort
  readonly #folders: () => AsyncIterable<Found>
  readonly #visited = new Set<string>()
  #hasSeenSockets = false

  /** @param folders all folders of sessions */
  constructor(fs: FsPort, storeFolder: string, folders: () => AsyncIterable<Found>) {
    this.#fs = fs
    this.storeFolder = storeFolder
    this.#folders = folders
  }

  async visit(folder: string): Promise<void> {
    if (this.#visited.has(folder)) return
    this.#visited.add(folder)
    try {
      await removeOrphans(this.#fs, folder)
      if (!this.#hasSeenSockets) await this.#removeSockets()
    } catch (error) {
      // It was not what the caller came for, and the next one tries again; `treelog verify --fix-orphans` reports it.
      if (!isStorageFault(error)) throw error
    }
  }

  async #removeSockets(): Promise<void> {
    this.#hasSeenSockets = true
    const sockets = orphanedSockets(this.storeFolder)
    if (sockets.length === 0) return
    for await (const { path, error } of this.#folders()) {
      if (error) return
      await removeOrphans(this.#fs, path)
    }
    for (const path of sockets) await this.#fs.rm(path, { recursive: true, force: true })
  }
}

/** The sockets of a store by which killed processes said that they live: to be removed after the locks in all folders, which name them. */
export function orphanedSockets(storeFolder: string): string[] {
  return endedSockets(storeFolder, isAbandoned)
}

/** Removes the orphaned temporary files in a folder. Resolves to their paths. */
export async function removeOrphans(fs: FsPort, folder: string): Promise<string[]> {
  const names = await namesWhere(fs, folder, (name) => LOCK.test(name) || TEMPORARY.test(name))
  const removed: string[] = []
  const removes = async (path: string, removal: Promise<boolean>) => {
    if (await removal) removed.push(path)
  }
  // The locks first: the files of their leases go with them.
  for (const name of names.filter((one) => LOCK.test(one)))
    await removes(join(folder, name), removeLock(fs, join(folder, name)))
  for (const name of names.filter((one) => TEMPORARY.test(one)))
    await removes(join(folder, name), removeTemporary(fs, folder, name))
  for (const name of await namesWhere(fs, trashFolder(folder), (one) => timeOfPlace(one) !== undefined))
    await removes(join(trashFolder(folder), name), removeEmpty(fs, join(trashFolder(folder), name)))
  return removed
}

async function namesWhere(fs: FsPort, folder: string, isMeant: (name: string) => boolean): Promise<string[]> {
  try {
    const entries = await fs.readdir(folder)
    return entries
      .map(({ name }) => name)
      .filter(isMeant)
      .sort()
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return []
    throw error
  }
}

async function removeLock(fs: FsPort, path: string): Promise<boolean> {
  if (!(await lstatIfThere(fs, path))?.isFile()) return false
  const found = readLock(fs, path)
  if (found === undefined || !isOrphanedLock(fs, path, found)) return false
  const token = newToken()
  const record = { ...ownIdentity(), since: new Date().toISOString(), token, access: "exclusive" as const }
  const temporaryFiles = new TemporaryFiles(fs)
  const isSessionLock = path.endsWith(`${SESSION_SUFFIX}.lock`)
  const settle = (dead: string) => {
    if (isSessionLock) settleLease(fs, path.slice(0, -".lock".length), dead)
  }
  const isTaken = takeLock(fs, path, record, temporaryFiles, settle) === undefined
  if (isTaken) dropLock(fs, path, token)
  temporaryFiles.removeAll()
  return isTaken
}

/** One that cannot be read may be another program's, and is left for longer than by a process that wants the session. */
function isOrphanedLock(fs: FsPort, path: string, found: FoundLock): boolean {
  return found.record === undefined ? isAbandoned(found.modified) : isStale(fs, path, found)
}

async function removeTemporary(fs: FsPort, folder: string, name: string): Promise<boolean> {
  const [, of = "", token = ""] = TEMPORARY.exec(name) ?? []
  const [path, base] = [join(folder, name), join(folder, of)]
  const stat = await lstatIfThere(fs, path)
  if (stat === undefined) return false
  const isLock = LOCK.test(of)
  const found = isLock && stat.isFile() ? readLock(fs, path) : undefined
  if (found?.record !== undefined) {
    if (!isStale(fs, path, found)) return false
  } else {
    if (!isAbandoned(Number(stat.mtimeNs / 1_000_000n))) return false
    for (const lock of [`${base}.lock`, `${base}${SESSION_SUFFIX}.lock`])
      if (!isLock && readLock(fs, lock)?.mark === token) return false
  }
  // A folder is the artifacts of a session that was being created or removed; or, by the name of the session, those that were being added to it.
  if (stat.isDirectory() && !of.endsWith(SESSION_SUFFIX)) settleLease(fs, base + SESSION_SUFFIX, token)
  else await fs.rm(path, { recursive: true, force: true })
  return true
}

/** A folder of the trash in which there is nothing; and the trash, if that was all. */
async function removeEmpty(fs: FsPort, place: string): Promise<boolean> {
  const stat = await lstatIfThere(fs, place)
  if (!stat?.isDirectory() || !isAbandoned(Number(stat.mtimeNs / 1_000_000n))) return false
  try {
    await fs.rmdir(place)
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false
    throw error
  }
  try {
    await fs.rmdir(dirname(place))
  } catch (error) {
    if (!isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error
  }
  return true
}

/** A time that lies far ahead is from before the clock was set back. */
function isAbandoned(modified: number): boolean {
  return Math.abs(Date.now() - modified) > ABANDONED
}
