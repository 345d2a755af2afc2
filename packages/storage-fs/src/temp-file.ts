import type { StorageStat } from "@treelog/session-core"
import type { Chunks } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FileStat,
  type FsPort,
  identityOf,
  type OpenFile,
  storedStat,
  type TemporaryFiles,
  writeChunks,
} from "@treelog-internal/fs"

/** A name that only the lease with the token uses, beside the file that it shall become. */
export function tempName(path: string, token: string): string {
  return `${path}.${token}.tmp`
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
