import { join } from "node:path"
import { type Env, homeOf, withoutTilde } from "@treelog-internal/fs"

/** The programs whose stores can be read and written in place. */
export type Preset = "treelog" | "pi" | "xcsh" | "omp"

/**
 * The agent folder of a program, from its environment variable or under the home folder (FORMAT.md, section 1).
 * Touches no disk.
 */
export function agentDirOf(preset: Preset, env: Env = process.env): string {
  const home = homeOf(env)
  if (preset === "xcsh") return join(home, ".xcsh", "agent")
  if (preset === "omp") return join(home, env.PI_CONFIG_DIR || ".omp", "agent")
  const [variable, folder] = preset === "pi" ? ["PI_CODING_AGENT_DIR", ".pi"] : ["TREELOG_AGENT_DIR", ".treelog"]
  const given = env[variable ?? ""]
  return given ? withoutTilde(given, home) : join(home, folder ?? "", "agent")
}
