import { join } from "node:path"
import { absoluteFolder, isFolder, nodeFs } from "@treelog-internal/fs"
import { AGENTS, type Agent, PROGRAMS } from "./programs.js"
import { ownFolder, profilesFolder } from "./store-name.js"
import type { Surroundings } from "./surroundings.js"

/** Where an agent keeps its files: its variable of the environment, or a folder of the home folder; and the folders of its sessions. */
const PLACES: Readonly<Record<Agent, { variable: string; folder: string; sessions: string }>> = {
  "claude-code": { variable: "CLAUDE_CONFIG_DIR", folder: "~/.claude", sessions: "projects" },
  codex: { variable: "CODEX_HOME", folder: "~/.codex", sessions: "sessions" },
}

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
    const [answer] = await Promise.allSettled([isFolder(join(folder, sessions))])
    if (answer.status === "rejected") onError(store, answer.reason)
    else if (answer.value) found.set(folder, store)
  }
  for (const program of PROGRAMS) await look(program, ownFolder(surroundings, program), "sessions")
  const profiles = profilesFolder(surroundings)
  const [names] = await Promise.allSettled([profileNames(profiles)])
  if (names.status === "rejected") onError("omp", names.reason)
  else for (const name of names.value) await look(`omp:${name}`, join(profiles, name, "agent"), "sessions")
  for (const agent of AGENTS) {
    const { variable, folder, sessions } = PLACES[agent]
    await look(agent, absoluteFolder(surroundings, surroundings.env[variable] || folder), sessions)
  }
  return [...found.values()]
}

async function profileNames(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) return []
  return (await nodeFs.readdir(folder)).map(({ name }) => name).sort()
}
