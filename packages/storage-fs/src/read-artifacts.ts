import { join } from "node:path"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import { type FsPort, fileChunks } from "@treelog-internal/fs"
import { isFolder } from "./artifacts.js"
import { artifactsFolder } from "./session-name.js"

/** The artifacts of a session, sorted by name within each folder. What is behind a link is not the session's. */
export async function* readArtifacts(fs: FsPort, key: string): AsyncGenerator<SessionArtifact> {
  const top = artifactsFolder(key)
  if (top === undefined || !(await isFolder(fs, top))) return
  const folders = [""]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await fs.readdir(join(top, folder))
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${folder}${entry.name}`
      if (entry.isDirectory()) folders.push(`${name}/`)
      else yield { name, chunks: entry.isFile() ? fileChunks(fs, join(top, name)) : undefined }
    }
  }
}
