import { dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { errnoOf, isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { hasAllOf, isCurrentCopy } from "./compare-files.js"
import { filesAt } from "./keep-files.js"

/**
 * The files in a folder of copies that have something which their originals have no more, and the folders that have such a file. A database is one
 * of them always. Absolute paths. @param originalOf where the original of a copy is
 */
export async function lostCopies(folder: string, originalOf: (copy: string) => string): Promise<Set<string>> {
  const found = await filesAt(nodeFs, folder, ["."], (_, error) => {
    throw error
  })
  const copies = [...found].map(([name, stat]) => ({ path: join(folder, name), stat }))
  const originals = await statMany(
    nodeFs,
    copies.map(({ path }) => originalOf(path)),
  )
  const lost = new Set<string>()
  for (const [at, { path, stat }] of copies.entries()) {
    const original = originals[at]
    const isFile = isStat(original) && original.isFile()
    if (isFile && (isCurrentCopy(original, stat) || (await isReadWithAllOf(originalOf(path), path)))) continue
    for (let one = path; one.length > folder.length && !lost.has(one); one = dirname(one)) lost.add(one)
    if (path === folder) lost.add(path)
  }
  return lost
}

/** Whether a file has all that its copy has; not where one of them cannot be read. */
async function isReadWithAllOf(path: string, copy: string): Promise<boolean> {
  try {
    return await hasAllOf(nodeFs, path, copy)
  } catch (error) {
    if (errnoOf(error) === undefined && !isTreelogError(error, "StorageError")) throw error
    return false
  }
}
