import { hideUrls } from "@treelog/stores"
import { Argument, Command, CommanderError, Option } from "commander"
import { version } from "../package.json"
import {
  type ArgumentDefinition,
  type CommandDefinition,
  type LoadCommand,
  type OptionDefinition,
  type PartDefinition,
  withPrinted,
} from "./define/command.js"
import { COMMANDS } from "./define/command-list.js"
import { GLOBAL_OPTIONS } from "./define/global-options.js"
import { isBrokenPipe } from "./errors/error-report.js"
import { EXIT, type ExitCode, UsageError } from "./errors/exit-codes.js"
import { usableTerminal } from "./io/can-ask.js"
import { CommandContext, type GlobalOptions } from "./io/command-context.js"
import type { Io } from "./io/io.js"
import { shellWord } from "./io/shell-command.js"
import { fullHelp, helpLayout, helpStart, SEE_ALL_OPTIONS, shortHelp } from "./program/help.js"
import { reportError } from "./program/report-error.js"
import { EVERY } from "./store/chosen-store.js"
import { configPath, readConfig } from "./store/config.js"

/** Loads a file of ours, named as from here. */
export type Load = (path: string) => Promise<unknown>

const importHere: Load = (path) => import(/* @vite-ignore */ path)

/** The definition of a command, with all that it does: each is a file of its own, also where it is built. */
export async function loadCommand(name: string, load = importHere): Promise<CommandDefinition> {
  const { command } = (await load(`./commands/${name}.js`)) as { command: CommandDefinition }
  return command
}

/** Carries out a command line (without node and script), and returns the exit code. */
export async function run(argv: readonly string[], io: Io, load = importHere): Promise<ExitCode> {
  try {
    return await runProgram(argv, io, load)
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.ok
    throw error
  }
}

async function runProgram(given: readonly string[], io: Io, load: Load): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok
  let argv = given
  let help = ""
  const carryOut = async (task: Task, options: GlobalOptions): Promise<void> => {
    const context = new CommandContext(
      await withPlugIns(io),
      options.allStores ? { ...options, store: EVERY } : options,
    )
    try {
      exitCode = await untilInterrupted(context, task)
      await context.released()
    } finally {
      await context.close()
    }
  }
  const program = createProgram(
    (task) => carryOut(task, program.opts<GlobalOptions>()),
    io,
    (name) => loadCommand(name, load),
    (text) => (help += text),
  )
  try {
    if (argv[0] === "help" && argv[1] === "all") {
      await io.stdout.write(fullHelp(program))
      return EXIT.ok
    }
    const [first, named, ...more] = argv
    // The parser would not load a command for its help, and names one that there is not only where it is to run it.
    if (first === "help" && named !== undefined)
      argv = program.commands.some((command) => command.name() === named) ? [named, ...more, "--help"] : [named]
    const terminal = argv.length === 0 && io.stdout.isTTY ? usableTerminal(io) : undefined
    if (terminal) {
      const { findAll } = await import("./tui/finder/find.js")
      await carryOut((context) => findAll(context, terminal, shortHelp(program)), {})
      return exitCode
    }
    await program
      .parseAsync(argv.length === 0 ? ["--help"] : withPrinted(argv), { from: "user" })
      .catch(async (error) => {
        if (!isHelp(error)) throw error
        await io.stdout.write(help)
      })
    return exitCode
  } catch (error) {
    if (isBrokenPipe(error)) throw error
    if (io.interrupted.aborted) return EXIT.interrupted
    if (!(error instanceof CommanderError)) return reportError(error, io, program.opts())
    return reportError(usageErrorOf(error, argv, program), io, { json: argv.includes("--json") })
  }
}

/** Agents of the setting `agents` are loaded where it names any. Settings that cannot be read end those commands alone that need them. */
async function withPlugIns(io: Io): Promise<Io> {
  try {
    const { agents } = readConfig(io)
    if (!agents) return io
    const { loadPlugIns } = await import("./store/plug-ins.js")
    return { ...io, plugIns: await loadPlugIns(agents) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { ...io, plugIns: { definitions: [], faults: [{ path: configPath(io), error }] } }
  }
}

/** A command that only has commands was called without one: commander shows its help as an error, we as an answer. */
function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")
}

/** Runs the task. On Ctrl-C, and when the user has left the pager, it is not waited for, but for what it holds. */
async function untilInterrupted(
  context: CommandContext,
  task: (context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { interrupted } = context.io
  const interruption = new Promise<ExitCode>((resolve) => {
    interrupted.addEventListener("abort", () => context.released().then(() => resolve(EXIT.interrupted)), {
      once: true,
    })
  })
  const nobodyReads = context.readerLeft.then(() => context.released()).then(() => EXIT.ok)
  return Promise.race([task(context), interruption, nobodyReads])
}

/** The parser's error, which has a code and a message for people alone: `error: unknown option '--jsn'`, a line break, `(Did you mean --json?)`. */
function usageErrorOf({ message, code }: CommanderError, argv: readonly string[], program: Command): UsageError {
  const lines = hideUrls(message)
    .replace(/^error: /, "")
    .split("\n")
  const sentence = lines.map((line) => line.trim()).join(" ")
  return new UsageError(sentence + excludingHint(code, argv, program), { reason: code.replace("commander.", "") })
}

/** A word of `search` with a sign before it is an option to a command line: `-slow`, `--no-verify`, or `-new`, which is `-n ew`. */
function excludingHint(code: string, [name, ...others]: readonly string[], program: Command): string {
  const search = program.commands.find((command) => command.name() === "search")
  if (!search || name !== search.name()) return ""
  const known = [...search.options, ...program.options].flatMap(({ short, long }) => [short, long])
  const isUnknown = (argument: string) => argument.startsWith("-") && !known.includes(argument.split("=")[0])
  const typed = others.find((one) => (code === "commander.unknownOption" && isUnknown(one)) || /^-\p{L}{2}/u.test(one))
  if (typed === undefined) return ""
  const isText = others.every((argument) => argument === typed || !argument.startsWith("-"))
  const text = (isText ? others : [typed]).map(shellWord)
  return `. To search for what begins with -, write the text after --: treelog search -- ${text.join(" ")}`
}

/** What was typed: it gets its surroundings, and returns an exit code. */
type Task = (context: CommandContext) => Promise<ExitCode>

/**
 * The command line. A command is loaded when it is typed.
 * @param start gets what the user asked for
 * @param commandOf loads a command by its name
 * @param writeOut gets help, and what the parser would write besides
 */
function createProgram(
  start: (task: Task) => Promise<void>,
  { stdout }: Io,
  commandOf: LoadCommand,
  writeOut: (text: string) => void,
): Command {
  const program = new Command("treelog")
  // Before there are commands, which inherit it.
  program.exitOverride().configureOutput({
    writeOut,
    // Errors are thrown too, and reported by the one who catches them. What is left is help that commander prints by itself.
    writeErr: writeOut,
    getOutHelpWidth: () => (stdout.isTTY ? stdout.columns : 100),
    getOutHasColors: () => false,
  })
  program
    .description("List, read, search, repair and share the sessions of AI coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .configureHelp({ ...helpLayout, formatHelp: (command) => shortHelp(command) })
    .usage("<command> [options]")
  for (const option of GLOBAL_OPTIONS) program.addOption(optionOf(option))
  for (const [, name, summary] of COMMANDS) added(program, name, summary)
  program.hook("preSubcommand", async (_, command) => define(command, await commandOf(command.name())))
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
        start((context) => definition.run(context, ...(given.slice(0, -1) as never[]), commandOf as never)),
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
