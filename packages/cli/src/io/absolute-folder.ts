import { join, resolve } from "node:path"
import type { Io } from "./io.js"

/** A folder as it was given on the command line: from the current one, with `~` as a shell would have read it. */
export function absoluteFolder({ cwd, env }: Pick<Io, "cwd" | "env">, given: string): string {
  const home = env.HOME
  return resolve(cwd, home && /^~(?=$|[/\\])/.test(given) ? join(home, given.slice(1)) : given)
}
