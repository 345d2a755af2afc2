import { absoluteFolder, folderByVariables } from "@treelog-internal/fs"
import { type Agent, placeOf } from "./programs.js"
import type { Surroundings } from "./surroundings.js"

/** The folder of an agent. An absolute path. */
export function agentFolder(surroundings: Surroundings, agent: Agent): string {
  return absoluteFolder(surroundings, folderByVariables(surroundings.env, placeOf(agent).folders))
}
