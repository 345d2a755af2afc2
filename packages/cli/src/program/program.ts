// Makes the command line of the definitions in commands/. Nothing but the parser is loaded here: a command is, when it is typed.

import { Argument, Command, Option } from "commander"
import { version } from "../../package.json"
import type { ArgumentDefinition, LoadCommand, OptionDefinition, PartDefinition } from "../define/command.js"
import { COMMANDS } from "../define/command-list.js"
import { GLOBAL_OPTIONS } from "../define/global-options.js"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { helpLayout, helpStart, SEE_ALL_OPTIONS, shortHelp } from "./help.js"

/** What was typed: it gets its surroundings, and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>

/**
 * The command line.
 * @param load loads the definition of the command that was typed
 * @param start gets what the user asked for
 * @param configure is applied before there are commands, so that they inherit it
 */
export function createProgram(
  load: LoadCommand,
  start: (task: Task) => Promise<void>,
  configure: (program: Command) => void,
): Command {
  const program = new Command("treelog")
  configure(program)
  program
    .description("List, read, search, repair and share the sessions of AI coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .configureHelp({ ...helpLayout, formatHelp: (command) => shortHelp(command) })
    .usage("<command> [options]")
  for (const option of GLOBAL_OPTIONS) program.addOption(optionOf(option))
  for (const [, name, summary] of COMMANDS) added(program, name, summary)
  program.hook("preSubcommand", async (_, command) => define(command, await load(command.name())))
  return program

  function define(command: Command, definition: PartDefinition): void {
    command
      .description(definition.description)
      .addHelpText("before", helpStart(definition))
      .addHelpText("after", (definition.notes === undefined ? "" : `\n${definition.notes}`) + SEE_ALL_OPTIONS)
    for (const argument of definition.arguments ?? []) command.addArgument(argumentOf(argument))
    for (const option of definition.options ?? []) command.addOption(optionOf(option))
    if ("commands" in definition) {
      command.helpCommand(false).usage("<command> [options]")
      for (const [name, part] of Object.entries(definition.commands)) define(added(command, name, part.summary), part)
    }
    // The last that the parser gives is the command itself.
    else
      command.action((...given) =>
        start((context) => definition.run(context, ...(given.slice(0, -1) as never[]), load as never)),
      )
  }
}

function added(under: Command, name: string, summary: string): Command {
  return under.command(name).summary(summary).helpOption("-h, --help", "show this help").configureHelp(helpLayout)
}

function argumentOf([name, help, more]: ArgumentDefinition): Argument {
  const argument = new Argument(name, help)
  return more ? argument.choices(more.choices) : argument
}

function optionOf([flags, help, more = {}]: OptionDefinition): Option {
  const { parse, choices, preset, isRepeatable, conflicts } = more
  const option = new Option(flags, help)
  if (choices) option.choices(choices)
  const one = option.parseArg
  if (parse) option.argParser(parse)
  else if (isRepeatable)
    option.argParser((text, before: string[] = []) => [...before, one ? String(one(text, undefined)) : text])
  if (more.default !== undefined) option.default(more.default, more.shownDefault)
  if (preset !== undefined) option.preset(preset)
  if (conflicts !== undefined) option.conflicts(conflicts)
  return option.makeOptionMandatory(more.isRequired === true).hideHelp(more.isHidden === true)
}
