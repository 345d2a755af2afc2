import { basename } from "node:path"
import type { StoredName } from "@treelog/session-core/adapter"
import { errnoOf, type FsPort, isErrno, storageError } from "@treelog-internal/fs"
import { findArtifacts } from "../artifacts/read-artifacts.js"
import { idOfFileName, SESSION_SUFFIX } from "../place/session-name.js"

/**
 * The parts of a session: the files in the folder of its artifacts, and below it, that have the name of a transcript. omp nests the
 * sub-agents of a sub-agent in a folder with its name; pi-subagents keeps those of each run in one. What is behind a link is left out, and a
 * folder that cannot be read is listed with its error.
 */
export async function* listParts(fs: FsPort, key: string): AsyncGenerator<StoredName> {
  for await (const found of findArtifacts(fs, key)) {
    const { name, path } = found
    const part = { of: key, name, role: roleOf(name) }
    if ("error" in found) {
      const fault = listFault(path, found.error)
      if (fault) yield { key: path, part, error: fault }
    } else if (found.entry.isFile() && name.endsWith(SESSION_SUFFIX)) {
      const id = idOfFileName(found.entry.name)
      yield { key: path, ...(id !== undefined && { id }), part }
    }
  }
}

/** omp's advisors have files of this name, beside the session or the sub-agent that they advise. */
function roleOf(name: string): string {
  return basename(name).startsWith("__advisor") ? "advisor" : "subagent"
}

/** The error that ended the reading of a folder; undefined where there is no such folder. */
export function listFault(folder: string, error: unknown): Error | undefined {
  if (isErrno(error, "ENOENT")) return undefined
  if (errnoOf(error) === undefined) throw error
  return storageError(folder, "list", errnoOf(error), error)
}
