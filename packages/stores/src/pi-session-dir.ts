import { dirname, join } from "node:path"
import { absoluteFolder, storageError, textIfThere } from "@treelog-internal/fs"
import { Look } from "./look.js"
import { valuesIn } from "./setting-folders.js"
import type { Surroundings } from "./surroundings.js"

/**
 * The folder of all of pi's sessions, where PI_CODING_AGENT_SESSION_DIR or `sessionDir` in its settings names one. An absolute path.
 * @throws StorageError where the settings cannot be read: then it is unknown where the sessions are
 */
export function piSessionDir(surroundings: Surroundings, agentDir: string): string | undefined {
  const named = surroundings.env.PI_CODING_AGENT_SESSION_DIR || settingIn(join(agentDir, "settings.json"))
  return named ? absoluteFolder(surroundings, named) : undefined
}

/**
 * The folder that the settings of a project name for the sessions that pi has there: those of the folder, or the nearest one above. An absolute path.
 * @throws StorageError where they cannot be read
 */
export function piProjectDir(surroundings: Surroundings): string | undefined {
  const { cwd, env } = surroundings
  const look = new Look(surroundings)
  for (let folder = cwd; ; folder = dirname(folder)) {
    const [named] = valuesIn(look, [join(folder, ".pi", "settings.json")], ["sessionDir"])
    if (named) return absoluteFolder({ cwd: folder, env }, named)
    if (folder === dirname(folder)) return undefined
  }
}

function settingIn(path: string): string | undefined {
  try {
    const settings: unknown = JSON.parse(textIfThere(path) ?? "{}")
    const { sessionDir } = (settings ?? {}) as { readonly sessionDir?: unknown }
    return typeof sessionDir === "string" ? sessionDir : undefined
  } catch (error) {
    throw error instanceof SyntaxError ? storageError(path, "read", undefined, error) : error
  }
}
