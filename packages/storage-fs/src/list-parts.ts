import { basename, join } from "node:path"
import type { PartOfSession, StoredName } from "@treelog/session-core/adapter"
import type { FsPort } from "@treelog-internal/fs"
import { isFolder } from "./artifacts.js"
import { listFault } from "./list-sessions.js"
import { artifactsFolder, idOfFileName, SESSION_SUFFIX } from "./session-name.js"

/** A part of a session, as it is listed. */
export type ListedPart = StoredName & { readonly part: PartOfSession }

/**
 * The parts of a session: the files in the folder of its artifacts, and below it, that have the name of a transcript. omp nests the
 * sub-agents of a sub-agent in a folder with its name; pi-subagents keeps those of each run in one. What is behind a link is left out, and a
 * folder that cannot be read is listed with its error.
 */
export async function* listParts(fs: FsPort, key: string): AsyncGenerator<ListedPart> {
  const top = artifactsFolder(key)
  if (top === undefined || !(await isFolder(fs, top))) return
  const folders = [""]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const part = (name: string): PartOfSession => ({ of: key, name, role: roleOf(name) })
    try {
      const entries = await fs.readdir(join(top, folder))
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = `${folder}${entry.name}`
        if (entry.isDirectory()) folders.push(`${name}/`)
        else if (entry.isFile() && name.endsWith(SESSION_SUFFIX)) {
          const id = idOfFileName(entry.name)
          yield { key: join(top, name), ...(id !== undefined && { id }), part: part(name) }
        }
      }
    } catch (error) {
      const path = join(top, folder)
      const fault = listFault(path, error)
      if (fault) yield { key: path, part: part(folder), error: fault }
    }
  }
}

/** omp's advisors have files of this name, beside the session or the sub-agent that they advise. */
function roleOf(name: string): string {
  return basename(name).startsWith("__advisor") ? "advisor" : "subagent"
}
