// What `treelog --help` prints: the commands that people use, by job, on one screen.

import { type Command, Help } from "commander"
import { helpLayout, SHELL_NOTES, summaries } from "./help-texts.js"
import type { CommandName } from "./make-command.js"

const JOBS: readonly (readonly [job: string, commands: readonly CommandName[]])[] = [
  ["find", ["list", "search", "files"]],
  ["read", ["show", "tree", "view", "watch"]],
  ["go on", ["resume", "fork", "compact", "name"]],
  ["share", ["export", "bundle", "import", "scan"]],
  ["count", ["stats"]],
  ["keep in order", ["doctor", "verify", "repair", "delete", "trash", "relocate"]],
]

const LAST = "`treelog help COMMAND` shows one, `treelog help all` the others and options."

/** One screen of 24 lines. */
export function shortHelp(program: Command): string {
  const width = Math.max(...JOBS.map(([job]) => job.length))
  const lines = JOBS.flatMap(([job, commands]) =>
    commands.map((name, at) => `${(at === 0 ? job : "").padEnd(width)}  ${name.padEnd(8)}  ${summaries[name]}`),
  )
  return `${[program.description(), ...lines, LAST].join("\n")}\n`
}

/** Every command, every global option, and what they share. */
export function fullHelp(program: Command): string {
  const help = Object.assign(new Help(), helpLayout)
  help.prepareContext({ helpWidth: 80, outputHasColors: false })
  return `${program.description()}\n\n${help.formatHelp(program, help)}${SHELL_NOTES}\n`
}
