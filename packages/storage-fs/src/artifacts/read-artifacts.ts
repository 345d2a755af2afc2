import { join } from "node:path"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import { type FolderEntry, type FsPort, fileChunks } from "@treelog-internal/fs"
import { artifactsFolder } from "../place/session-name.js"
import { isFolder } from "./artifacts.js"

/** What is in the folder of a session's artifacts, or below it; or the folder below it that cannot be read, with its error. */
type FoundArtifact = {
  /** From the folder of the artifacts on, with `/`. */
  readonly name: string
  readonly path: string
} & ({ readonly entry: FolderEntry } | { readonly error: unknown })

/** Finds all but folders, sorted by name within each folder. What is behind a link is not the session's. */
export async function* findArtifacts(fs: FsPort, key: string): AsyncGenerator<FoundArtifact> {
  const top = artifactsFolder(key)
  if (top === undefined || !(await isFolder(fs, top))) return
  const folders = [""]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    let entries: FolderEntry[] = []
    try {
      entries = await fs.readdir(join(top, folder))
    } catch (error) {
      yield { name: folder, path: join(top, folder), error }
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${folder}${entry.name}`
      if (entry.isDirectory()) folders.push(`${name}/`)
      else yield { name, path: join(top, name), entry }
    }
  }
}

export async function* readArtifacts(fs: FsPort, key: string): AsyncGenerator<SessionArtifact> {
  for await (const found of findArtifacts(fs, key)) {
    if ("error" in found) throw found.error
    yield { name: found.name, chunks: found.entry.isFile() ? fileChunks(fs, found.path) : undefined }
  }
}
