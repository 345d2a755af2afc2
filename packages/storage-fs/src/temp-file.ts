import { constants } from "node:fs"
import type { StorageStat } from "@treelog/session-core"
import type { Chunks } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FileStat,
  type FsPort,
  identityOf,
  type OpenFile,
  type SyncFile,
  storedStat,
  type TemporaryFiles,
  writeChunks,
  writeWholeSync,
} from "@treelog-internal/fs"

/** Without what an earlier attempt left under the name. */
const NEW_FILE = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC

/** A name that only the lease with the token uses, beside the file that it shall become. */
export function tempName(path: string, token: string): string {
  return `${path}.${token}.tmp`
}

/**
 * The name for calls without promises. A call with promises may be under way, and goes on in a thread of its own even while the process
 * exits: by the same name it would write into the file that becomes the session.
 */
export function syncTempName(path: string, token: string): string {
  return tempName(path, `${token}.sync`)
}

/** A file that a lease writes: the session at the path, and the token that its temporary files are named with. */
export interface NewFile {
  readonly fs: FsPort
  readonly path: string
  readonly key: string
  readonly token: string
  readonly identities: ReadonlySet<string>
  readonly temporaryFiles: TemporaryFiles
}

/** What the file takes over from the one that it shall replace. */
export type Ownership = Pick<FileStat, "mode" | "uid" | "gid">

/** Writes a whole file under a temporary name, so that it is on the disk before it gets its own. */
export async function writeTemp(
  fs: FsPort,
  temp: string,
  chunks: Chunks,
  options: { like?: Ownership; unlike: ReadonlySet<string> },
): Promise<StorageStat> {
  const file = await openUnlike(fs, temp, options.unlike)
  try {
    if (options.like !== undefined) await takeOver(file, options.like)
    await writeChunks(file, chunks)
    await file.sync()
    return storedStat(await file.stat({ bigint: true }))
  } finally {
    await file.close()
  }
}

/** The same without promises. */
export function writeTempSync(
  fs: FsPort,
  temp: string,
  chunks: Iterable<Uint8Array>,
  options: { like?: Ownership; unlike: ReadonlySet<string> },
): StorageStat {
  const { file, stat } = openTempSync(fs, temp, chunks, { ...options, isSynced: true })
  file.closeSync()
  return stat
}

/** The same file open, for appending. @param options without `isSynced`, its bytes may still be with the system alone */
export function openTempSync(
  fs: FsPort,
  temp: string,
  chunks: Iterable<Uint8Array>,
  options: { like?: Ownership; unlike: ReadonlySet<string>; isSynced: boolean },
): { file: SyncFile; stat: StorageStat } {
  const file = openUnlikeSync(fs, temp, options.unlike)
  try {
    if (options.like !== undefined) takeOverSync(file, options.like)
    for (const chunk of chunks) writeWholeSync(file, chunk, null)
    if (options.isSynced) file.syncSync()
    return { file, stat: storedStat(file.statSync({ bigint: true })) }
  } catch (error) {
    file.closeSync()
    throw error
  }
}

function openUnlikeSync(fs: FsPort, temp: string, identities: ReadonlySet<string>): SyncFile {
  const file = fs.openSync(temp, NEW_FILE, FILE_MODE)
  let isToClose = true
  try {
    if (identities.size === 0 || !identities.has(identityOf(file.statSync({ bigint: true })))) {
      isToClose = false
      return file
    }
    fs.unlinkSync(temp)
    return openUnlikeSync(fs, temp, identities)
  } finally {
    if (isToClose) file.closeSync()
  }
}

function takeOverSync(file: SyncFile, like: Ownership): void {
  const ours = file.statSync({ bigint: true })
  if (ours.uid !== like.uid) file.chownSync(Number(like.uid), Number(like.gid))
  if ((ours.mode & 0o777n) !== (like.mode & 0o777n)) file.chmodSync(Number(like.mode & 0o777n))
}

/**
 * Opens a new file with an identity that the lease never reported. A file that is made right after another was removed
 * may get its inode number, and its time of birth on a coarse clock; while it is held, the next one cannot.
 */
async function openUnlike(fs: FsPort, temp: string, identities: ReadonlySet<string>): Promise<OpenFile> {
  const file = await fs.open(temp, "w", FILE_MODE)
  let isToClose = true
  try {
    if (!identities.has(identityOf(await file.stat({ bigint: true })))) {
      isToClose = false
      return file
    }
    await fs.unlink(temp)
    return await openUnlike(fs, temp, identities)
  } finally {
    if (isToClose) await file.close()
  }
}

async function takeOver(file: OpenFile, like: Ownership): Promise<void> {
  const ours = await file.stat({ bigint: true })
  if (ours.uid !== like.uid) await file.chown(Number(like.uid), Number(like.gid))
  if ((ours.mode & 0o777n) !== (like.mode & 0o777n)) await file.chmod(Number(like.mode & 0o777n))
}
