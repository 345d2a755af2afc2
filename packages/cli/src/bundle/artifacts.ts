import { join } from "node:path"
import { fileChunks, lstatIfThere, nodeFs } from "@treelog-internal/fs"
import { isName } from "./manifest.js"

/** A file among the artifacts of a session. */
export interface ArtifactFile {
  /** Path in the folder, with `/`. */
  readonly name: string
  /** An absolute path. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** The files of a folder, sorted by name. `leftOut` counts what is no file: links, pipes and devices. */
export async function findArtifacts(folder: string): Promise<{ files: ArtifactFile[]; leftOut: number }> {
  const files: ArtifactFile[] = []
  let leftOut = 0
  const visit = async (path: string, name: string): Promise<void> => {
    const entries = await nodeFs.readdir(path)
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const [inside, of] = [join(path, entry.name), name + entry.name]
      const stat = entry.isFile() ? await lstatIfThere(nodeFs, inside) : undefined
      if (entry.isDirectory()) await visit(inside, `${of}/`)
      else if (stat?.isFile() && isName(entry.name)) files.push({ name: of, path: inside, size: Number(stat.size) })
      else leftOut += 1
    }
  }
  if ((await lstatIfThere(nodeFs, folder))?.isDirectory()) await visit(folder, "")
  return { files, leftOut }
}

/** The bytes that a file had when it was found: some append to theirs. */
export async function* readArtifact({ path, size }: ArtifactFile): AsyncGenerator<Uint8Array> {
  let left = size
  if (left === 0) return
  for await (const chunk of fileChunks(nodeFs, path)) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}
