import type { CommandContext } from "./command-context.js"
import type { Io, Terminal } from "./io.js"

/** Whether the user can be asked. */
export function isInteractive({ io, options }: CommandContext): boolean {
  return options.input !== false && canAsk(io)
}

/** Whether there is a terminal that a person can be asked at, whatever the options. */
export function canAsk(io: Io): boolean {
  return usableTerminal(io) !== undefined
}

/** In a build there is no person to ask. */
export function usableTerminal({ env, terminal }: Io): Terminal | undefined {
  const isInCi = [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== "0" && value !== "false",
  )
  return isInCi || env.TERM === "dumb" ? undefined : terminal()
}
