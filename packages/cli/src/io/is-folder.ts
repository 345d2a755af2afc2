import { nodeFs } from "@treelog/storage-fs"

/** @returns false also for what is not there */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await nodeFs.stat(path, { bigint: true })).isDirectory()
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return false
    throw error
  }
}
