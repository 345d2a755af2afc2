import type { Command } from "commander"
import type { examples } from "./help-texts.js"
import type { Task } from "./task.js"

export type CommandName = Exclude<keyof typeof examples, "treelog">

/** Registers a command with its help. @param under the one that it belongs to, such as `blobs` */
export type MakeCommand = (name: CommandName, description: string, under?: Command) => Command

/** Gets what the user asked for. */
export type Start = (task: Task) => Promise<void>
