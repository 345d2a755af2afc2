import { createHash } from "node:crypto"
import { chunksOf, type FileStat, type FsPort, isGone, type OpenFile, READ_AT_ONCE } from "@treelog-internal/fs"

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

export async function hashOfFile(file: OpenFile): Promise<string> {
  const digest = createHash("sha256")
  for await (const chunk of chunksOf(file, { fresh: false })) digest.update(chunk)
  return digest.digest("hex")
}
