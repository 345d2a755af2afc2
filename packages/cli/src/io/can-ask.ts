import type { CommandContext } from "./command-context.js"
import type { Io, Terminal } from "./io.js"

/** Whether the user can be asked. */
export function isInteractive({ io, options }: CommandContext): boolean {
  return options.input !== false && usableTerminal(io) !== undefined
}

/** That of a person who can be asked: in a build there is none. */
export function usableTerminal({ env, terminal }: Io): Terminal | undefined {
  const isInCi = [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== "0" && value !== "false",
  )
  return isInCi || env.TERM === "dumb" ? undefined : terminal()
}
