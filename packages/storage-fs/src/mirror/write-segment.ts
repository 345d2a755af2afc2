import { join } from "node:path"
import type { Chunks } from "@treelog/session-core/adapter"
import { discard, FILE_MODE, type FsPort, isErrno, writeWhole } from "@treelog-internal/fs"
import { nodeZlib } from "../lazy-modules.js"
import { newToken } from "../lock-file.js"
import { type MirroredObject, type MirrorFolder, objectOf } from "./mirror-folder.js"
import type { Segment } from "./segment.js"

// Why a crash and other processes do no harm. A segment is written under a temporary name that no other process uses, gets its name
// when it is complete, and is never changed again. It is not synced, so a power failure may leave any bytes under the name: the
// checksum in the name shows it. Two processes may write the same bytes twice; either file will do.

/** Where the checksum of a segment begins, so that the bytes of another object are no segment of this one. */
export function seedOf({ key, identity }: MirroredObject, start: number): number {
  return nodeZlib().crc32(`${key}\0${identity}\0${start}`)
}

/**
 * Writes a segment. Undefined when there are no bytes, or another process drops the mirror meanwhile.
 * @param length the chunks have at most so many bytes
 */
export async function writeSegment(
  folder: MirrorFolder,
  object: MirroredObject,
  { start, length, chunks }: { start: number; length: number; chunks: Chunks },
): Promise<Segment | undefined> {
  await folder.prepare(object.key, length)
  const temp = join(folder.folderOf(object.key), `${newToken()}.tmp`)
  try {
    const { size, crc } = await writeAll(folder.fs, temp, chunks, seedOf(object, start))
    const segment = { object: objectOf(object.identity), start, end: start + size, crc }
    if (size === 0) return undefined
    await folder.fs.rename(temp, folder.pathOf(object.key, segment))
    return segment
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  } finally {
    discard(folder.fs, temp)
  }
}

async function writeAll(
  fs: FsPort,
  temp: string,
  chunks: Chunks,
  seed: number,
): Promise<{ size: number; crc: number }> {
  const file = await fs.open(temp, "wx", FILE_MODE)
  let [size, crc] = [0, seed]
  try {
    for await (const chunk of chunks) {
      await writeWhole(file, chunk, null)
      crc = nodeZlib().crc32(chunk, crc)
      size += chunk.length
    }
  } finally {
    await file.close()
  }
  return { size, crc }
}
