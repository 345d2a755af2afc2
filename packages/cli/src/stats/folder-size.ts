import { join } from "node:path"
import { nodeFs } from "@treelog/storage-fs"

/** Bytes of all files in a folder and below it; 0 where there is none. Links count for nothing: what they lead to is elsewhere. */
export async function folderSize(folder: string): Promise<number> {
  let size = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name } of await unlessGone(nodeFs.readdir(next), [])) {
      const path = join(next, name)
      const stat = await unlessGone(nodeFs.lstat(path, { bigint: true }), undefined)
      if (stat?.isDirectory()) folders.push(path)
      else if (stat?.isFile()) size += Number(stat.size)
    }
  }
  return size
}

async function unlessGone<Result, Otherwise>(work: Promise<Result>, otherwise: Otherwise): Promise<Result | Otherwise> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return otherwise
    throw error
  }
}
