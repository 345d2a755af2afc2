import type { Command } from "commander"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import type { examples } from "./help-texts.js"

export type CommandName = Exclude<keyof typeof examples, "treelog">

/** Registers a command with its help. @param under the one that it belongs to, such as `blobs` */
export type MakeCommand = (name: CommandName, description: string, under?: Command) => Command

/** Gets what the user asked for. */
export type Start = (task: Task) => Promise<void>

/** What a command is: it gets its surroundings and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>
