import { type FsPort, isErrno, type OpenFile, READ_AT_ONCE, readWhole } from "@treelog-internal/fs"
import { sessionChanged } from "./expect-unchanged.js"
import { roomFor } from "./room-for.js"
import { notAFile, sessionNotFound } from "./session-errors.js"
import { storedStat } from "./stored-stat.js"

/** Reads a range of one file; what was opened is what is read, whatever happens to the name meanwhile. */
export async function readRange(
  fs: FsPort,
  key: string,
  offset: number,
  length: number,
  identity?: string,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const file = await opened(fs, key, identity)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
    const stored = storedStat(stat)
    if (identity !== undefined && stored.identity !== identity) throw sessionChanged(key, "replaced")
    const bytes = roomFor(Math.max(0, Math.min(length, stored.size - offset)), into)
    const read = await readWhole(file, bytes, offset)
    return read === bytes.length ? bytes : bytes.subarray(0, read)
  } finally {
    await file.close()
  }
}

async function opened(fs: FsPort, key: string, identity: string | undefined): Promise<OpenFile> {
  try {
    return await fs.open(key, READ_AT_ONCE)
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error
    throw identity === undefined ? sessionNotFound(key) : sessionChanged(key, "gone")
  }
}
