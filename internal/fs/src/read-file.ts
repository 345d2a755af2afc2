import { constants } from "node:fs"
import type { FileStat, FsPort, OpenFile, SyncFile } from "./fs-port.js"
import { storageError } from "./storage-error.js"
import { readWhole, uninterruptedSync } from "./whole-io.js"

// Large enough that the calls cost little beside the bytes, small enough for memory.
const CHUNK_BYTES = 256 * 1024
/** Also of a file that grows while it is read. */
const LEAST_BYTES = 4096

/** For reading: opening a pipe or a device in the place of a file must not wait for a writer. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Flags to read a file at once, where a symbolic link is an error (`ELOOP`). */
export const READ_NO_LINK = READ_AT_ONCE | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file for reading, and stats what was opened.
 * @throws StorageError for what is not a plain file; the system's errors as they are
 */
export async function openPlain(
  fs: FsPort,
  path: string,
  flags = READ_AT_ONCE,
): Promise<{ file: OpenFile; stat: FileStat }> {
  const file = await fs.open(path, flags)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile()) throw storageError(path, "read", undefined, new Error("this is not a plain file"))
    return { file, stat }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** `openPlain` without promises. */
export function openPlainSync(fs: FsPort, path: string, flags = READ_AT_ONCE): { file: SyncFile; stat: FileStat } {
  const file = fs.openSync(path, flags)
  try {
    const stat = uninterruptedSync(() => file.statSync({ bigint: true }))
    if (!stat.isFile()) throw storageError(path, "read", undefined, new Error("this is not a plain file"))
    return { file, stat }
  } catch (error) {
    file.closeSync()
    throw error
  }
}

/** The bytes of a file in pieces. Each piece is valid until the next one is requested. */
export async function* fileChunks(fs: FsPort, path: string): AsyncGenerator<Uint8Array> {
  const { file, stat } = await openPlain(fs, path)
  try {
    yield* chunksOf(file, { fresh: false, size: Number(stat.size) })
  } finally {
    await file.close()
  }
}

/**
 * The bytes of an open file in pieces.
 * @param fresh each piece has a buffer of its own; otherwise it is valid until the next one is requested
 * @param size of the file, if that is known: a small one needs no large buffer. Bytes
 */
export async function* chunksOf(
  file: OpenFile,
  { fresh, size = CHUNK_BYTES }: { fresh: boolean; size?: number },
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, size + 1)))
  for (let position = 0; ; position += chunk.length) {
    const length = await readWhole(file, chunk, position)
    if (length > 0) yield chunk.subarray(0, length)
    if (length < chunk.length) return
    if (fresh) chunk = new Uint8Array(chunk.length)
  }
}
