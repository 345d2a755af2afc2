import type { CommandContext } from "./command-context.js"
import type { ExitCode } from "./exit-codes.js"

/** What a command is: it gets its surroundings and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>
