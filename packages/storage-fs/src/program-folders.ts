import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"

/** The programs whose stores can be read and written in place. */
export type Preset = "treelog" | "pi" | "xcsh" | "omp"

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * The agent folder of a program, from its environment variable or under the home folder (FORMAT.md, section 1).
 * Touches no disk.
 */
export function agentDirOf(preset: Preset, env: Env = process.env): string {
  const home = homeOf(env)
  if (preset === "xcsh") return join(home, ".xcsh", "agent")
  if (preset === "omp") return join(home, ".omp", "agent")
  const [variable, folder] = preset === "pi" ? ["PI_CODING_AGENT_DIR", ".pi"] : ["TREELOG_AGENT_DIR", ".treelog"]
  const given = env[variable ?? ""]
  return given ? withoutTilde(given, home) : join(home, folder ?? "", "agent")
}

export function homeOf(env: Env): string {
  return env.HOME || homedir()
}

/** `~` and `~/...` as a shell would have read them. */
export function withoutTilde(path: string, home: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : path
}

/**
 * Where treelog keeps what it can find out again: `TREELOG_CACHE_DIR`, else a folder of its own where the platform keeps such
 * things (FORMAT.md, section 8). Touches no disk. An absolute path.
 */
export function cacheFolderOf(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = homeOf(env)
  if (env.TREELOG_CACHE_DIR) return resolve(withoutTilde(env.TREELOG_CACHE_DIR, home))
  const shared = env.XDG_CACHE_HOME
  // The XDG specification has relative paths ignored.
  if (shared && isAbsolute(shared)) return join(shared, "treelog")
  if (platform === "darwin") return join(home, "Library", "Caches", "treelog")
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "treelog", "Cache")
  return join(home, ".cache", "treelog")
}
