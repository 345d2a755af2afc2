import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Env, homeOf, withoutTilde } from "@treelog-internal/fs"

/** The programs whose stores can be read and written in place. */
export type Preset = "treelog" | "pi" | "xcsh" | "omp"

/**
 * The agent folder of a program, from its environment variable or under the home folder (FORMAT.md, section 1).
 * @param profile a profile of omp
 */
export function agentDirOf(preset: Preset, env: Env = process.env, profile?: string): string {
  const home = homeOf(env)
  if (preset === "xcsh") return join(home, ".xcsh", "agent")
  // omp reads PI_CODING_AGENT_DIR, too. What is in that folder is listed as pi's, and omp's own folder may have sessions as well.
  if (preset === "omp") return ompFolder(env, profile)
  const [variable, folder] = preset === "pi" ? ["PI_CODING_AGENT_DIR", ".pi"] : ["TREELOG_AGENT_DIR", ".treelog"]
  const named = env[variable]
  return named ? withoutTilde(named, home) : join(home, folder, "agent")
}

/** The folders in which omp has its sessions, if the second is there, and a folder `profiles`, which names those of its profiles. */
export function ompFolders(env: Env): readonly string[] {
  const own = join(homeOf(env), env.PI_CONFIG_DIR || ".omp")
  return env.XDG_DATA_HOME && process.platform !== "win32" ? [own, join(env.XDG_DATA_HOME, "omp")] : [own]
}

/** omp asks whether the shared folder is there, for each profile by itself. */
function ompFolder(env: Env, profile: string | undefined): string {
  const [own = "", shared] = ompFolders(env).map((folder) =>
    profile === undefined ? folder : join(folder, "profiles", profile),
  )
  return shared !== undefined && existsSync(shared) ? shared : join(own, "agent")
}
