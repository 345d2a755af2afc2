import { homedir } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { isWholePath } from "@treelog/session-core/adapter"

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

export function homeOf(env: Env): string {
  return env.HOME || homedir()
}

/** Resolves a folder that a person named, with `~` as in a shell. A path of another system stays as it is. */
export function absoluteFolder({ cwd, env }: { readonly cwd: string; readonly env: Env }, folder: string): string {
  const named = withoutTilde(folder, homeOf(env))
  return isWholePath(named) && !isAbsolute(named) ? named : resolve(cwd, named)
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

const VARIABLE = /\$([A-Z0-9_]+)/g

/** The first of several folders, `$NAME/sub` or `~/sub`, whose variables of the environment are set; undefined where there is none. */
export function folderByVariables(env: Env, folders: readonly string[]): string | undefined {
  const isSet = (folder: string): boolean => [...folder.matchAll(VARIABLE)].every(([, name = ""]) => env[name])
  return folders.find(isSet)?.replace(VARIABLE, (_, name: string) => env[name] ?? "")
}

/**
 * The folder of an agent, and what has its sessions in there.
 * @param place of its folders, `$NAME/sub` or `~/sub`, the first counts whose variables of the environment are set. Another variable may name
 *   other sessions: in that folder, or an absolute path
 */
export function sessionsByVariables(
  env: Env,
  place: { readonly folders: readonly string[]; readonly sessions: string; readonly sessionsVariable?: string },
): { readonly folder: string; readonly sessions: string } {
  const folder = folderByVariables(env, place.folders) ?? ""
  const value = env[place.sessionsVariable ?? ""]
  // In memory, nothing is stored.
  const named = value && value !== ":memory:" ? value : place.sessions
  return isAbsolute(named) ? { folder: dirname(named), sessions: basename(named) } : { folder, sessions: named }
}
