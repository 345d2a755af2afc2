import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"

/** What a command is: it gets its surroundings and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>
