import { join } from "node:path"
import { isFolder, nodeFs, statIfThere } from "@treelog-internal/fs"
import { agentFolder } from "./agent-folder.js"
import { AGENTS, PROGRAMS, placeOf } from "./programs.js"
import { ownFolder, profilesFolder } from "./store-name.js"
import type { Surroundings } from "./surroundings.js"

/**
 * Finds the stores of all programs and agents on this machine, without opening them and without loading their code. Two programs with
 * the same folder are one.
 * @param onError called with the name of a store that cannot be looked at, and why; the others are found nevertheless
 * @returns their names, as `storeNamed` takes them: `pi`, `omp:work`, `claude-code`
 */
export async function findStores(
  surroundings: Surroundings,
  onError: (store: string, error: unknown) => void = () => {},
): Promise<string[]> {
  const found = new Map<string, string>()
  const look = async (store: string, folder: string, sessions: string): Promise<void> => {
    if (found.has(folder)) return
    const [answer] = await Promise.allSettled([statIfThere(nodeFs, join(folder, sessions))])
    if (answer.status === "rejected") onError(store, answer.reason)
    else if (answer.value) found.set(folder, store)
  }
  for (const program of PROGRAMS) await look(program, ownFolder(surroundings, program), "sessions")
  const profiles = profilesFolder(surroundings)
  const [names] = await Promise.allSettled([profileNames(profiles)])
  if (names.status === "rejected") onError("omp", names.reason)
  else for (const name of names.value) await look(`omp:${name}`, join(profiles, name, "agent"), "sessions")
  for (const agent of AGENTS) await look(agent, agentFolder(surroundings, agent), placeOf(agent).sessions)
  return [...found.values()]
}

async function profileNames(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) return []
  return (await nodeFs.readdir(folder)).map(({ name }) => name).sort()
}
