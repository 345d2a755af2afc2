import { createHash } from "node:crypto"
import { join } from "node:path"
import type { Clock } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import {
  discard,
  FILE_MODE,
  type FsPort,
  isErrno,
  makeDurableFolder,
  type OpenFile,
  writeWhole,
} from "@treelog-internal/fs"
import { temporaryName } from "./blob-names.js"

/** A whole file, on the disk, that waits for its name. */
export interface TempFile {
  readonly path: string
  /** SHA-256 of what was written. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/**
 * Writes a file under a temporary name beside the blobs; hashes the bytes while writing. When the source or the disk
 * fails, the file goes.
 * @param hash of the bytes, where it is known already
 */
export async function writeTemp(
  { fs, folder, clock }: { fs: FsPort; folder: string; clock: Clock },
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash?: string,
): Promise<TempFile> {
  const path = join(folder, temporaryName())
  try {
    return { path, ...(await write(await openNew(fs, folder, path), chunks, clock, hash)) }
  } catch (error) {
    discard(fs, path)
    throw error
  }
}

async function write(
  file: OpenFile,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  clock: Clock,
  known: string | undefined,
): Promise<{ hash: string; size: number }> {
  const digest = known === undefined ? createHash("sha256") : undefined
  let size = 0
  try {
    for await (const chunk of chunks) {
      digest?.update(chunk)
      await writeWhole(file, chunk, size)
      size += chunk.length
    }
    // Of the system's time the file knows already.
    if (clock !== systemClock) await file.utimes(clock.now() / 1000, clock.now() / 1000)
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: digest?.digest("hex") ?? known ?? "", size }
}

async function openNew(fs: FsPort, folder: string, path: string): Promise<OpenFile> {
  try {
    return await fs.open(path, "wx", FILE_MODE)
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
    await makeDurableFolder(fs, folder)
    return fs.open(path, "wx", FILE_MODE)
  }
}
