import { constants } from "node:fs"
import type { FileStat, FsPort, OpenFile } from "./fs-port.js"
import { startDigest } from "./node-digest.js"
import { isGone } from "./storage-error.js"
import { readWhole } from "./whole-io.js"

// Opening a pipe must not wait for a writer.
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

// Large enough that the calls cost little beside the bytes, small enough to be no burden.
const CHUNK_BYTES = 256 * 1024

/** Opens a regular file for reading, and closes it in the end. Undefined when there is none. */
export async function withFile<T>(
  fs: FsPort,
  path: string,
  action: (file: OpenFile, stat: FileStat) => Promise<T>,
): Promise<T | undefined> {
  const file = await openIfThere(fs, path)
  try {
    const stat = await file?.stat({ bigint: true })
    return file === undefined || !stat?.isFile() ? undefined : await action(file, stat)
  } finally {
    await file?.close()
  }
}

export async function openIfThere(fs: FsPort, path: string): Promise<OpenFile | undefined> {
  try {
    return await fs.open(path, READ_AT_ONCE)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

export async function statIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Like `statIfThere`, of the link itself. */
export async function lstatIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.lstat(path, { bigint: true })
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/**
 * The bytes of an open file in pieces.
 * @param fresh each piece has a memory of its own; otherwise it is valid until the next one is asked for
 */
export async function* chunksOf(file: OpenFile, { fresh }: { fresh: boolean }): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(CHUNK_BYTES)
  for (let position = 0; ; position += chunk.length) {
    const length = await readWhole(file, chunk, position)
    if (length > 0) yield chunk.subarray(0, length)
    if (length < chunk.length) return
    if (fresh) chunk = new Uint8Array(CHUNK_BYTES)
  }
}

export async function hashOfFile(file: OpenFile): Promise<string> {
  const digest = startDigest()
  for await (const chunk of chunksOf(file, { fresh: false })) digest.update(chunk)
  return digest.hex()
}
