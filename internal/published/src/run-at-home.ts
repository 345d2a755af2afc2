import { type Ran, type RunOptions, run } from "./run-command.js"

/** Runs a program in a folder that is also the home of the user, so that it finds and leaves nothing elsewhere. */
export function runAtHome(
  folder: string,
  command: string,
  args: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Ran> {
  const home = { HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: folder, LOCALAPPDATA: folder }
  return run(command, args, { cwd: folder, ...options, env: { ...home, ...options.env } })
}
