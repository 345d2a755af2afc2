import type { CommandContext } from "./command-context.js"
import type { Io, Terminal } from "./io.js"

/** Whether the user can be asked. */
export function isInteractive({ io, options }: CommandContext): boolean {
  return options.input !== false && usableTerminal(io) !== undefined
}

/** The terminal at which a person can be asked; undefined in CI, and where the terminal has no cursor (`TERM=dumb`). */
export function usableTerminal({ env, terminal }: Io): Terminal | undefined {
  const isInCi = [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== "0" && value !== "false",
  )
  return isInCi || env.TERM === "dumb" ? undefined : terminal()
}
