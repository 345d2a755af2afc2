import { constants } from "node:fs"
import { type Chunks, Steps, type StorageStat } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FileStat,
  type FsPort,
  identityOf,
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
 * The name for calls without promises. A call with promises may be under way, and continues in a thread of its own even while the process
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

/** A file that was made, open for appending. */
export interface MadeFile {
  readonly file: SyncFile
  readonly stat: FileStat
}

/** What is done with a temporary file: what it is like, and which identities it may not have. */
export interface TempOptions {
  readonly like?: Ownership
  readonly unlike: ReadonlySet<string>
  /** Default true. Without it, the bytes may still be with the system alone. */
  readonly isSynced?: boolean
}

/** Writes a whole file under a temporary name, so that it is on the disk before it gets its own. */
export async function writeTemp(fs: FsPort, temp: string, chunks: Chunks, options: TempOptions): Promise<StorageStat> {
  const { file, stat } = await Steps.run(makeTemp(fs, temp, chunks, options))
  file.closeSync()
  return storedStat(stat)
}

/** Makes a temporary file, and keeps it open. */
export function* makeTemp(
  fs: FsPort,
  temp: string,
  chunks: Chunks,
  { isSynced = true, ...options }: TempOptions,
): Steps<MadeFile> {
  const file = openTemp(fs, temp, options)
  try {
    yield* Steps.step(
      () => writeChunks(file, chunks),
      () => {
        for (const chunk of chunks as Iterable<Uint8Array>) writeWholeSync(file, chunk, null)
      },
    )
    if (isSynced)
      yield* Steps.step(
        () => file.sync(),
        () => file.syncSync(),
      )
    return { file, stat: file.statSync({ bigint: true }) }
  } catch (error) {
    file.closeSync()
    throw error
  }
}

/**
 * Opens a new file with an identity that the lease never reported. A file that is made right after another was removed
 * may get its inode number, and its time of birth on a coarse clock; while it is held, the next one cannot.
 */
function openTemp(fs: FsPort, temp: string, { like, unlike }: Omit<TempOptions, "isSynced">): SyncFile {
  const file = fs.openSync(temp, NEW_FILE, FILE_MODE)
  try {
    if (unlike.size > 0 && unlike.has(identityOf(file.statSync({ bigint: true })))) {
      fs.unlinkSync(temp)
      const next = openTemp(fs, temp, { unlike, ...(like && { like }) })
      file.closeSync()
      return next
    }
    if (like) takeOver(file, like)
    return file
  } catch (error) {
    file.closeSync()
    throw error
  }
}

function takeOver(file: SyncFile, like: Ownership): void {
  const ours = file.statSync({ bigint: true })
  if (ours.uid !== like.uid) file.chownSync(Number(like.uid), Number(like.gid))
  if ((ours.mode & 0o777n) !== (like.mode & 0o777n)) file.chmodSync(Number(like.mode & 0o777n))
}
