import { CommandContext } from "../../io/command-context.js"

/** For work that is done while a picker is shown: it says nothing on stderr, which is the screen. */
export function quietContext({ io, options }: CommandContext): CommandContext {
  return new CommandContext(io, { ...options, quiet: true })
}
