import { jsonText } from "@treelog/session-core/json"
import { hideUrls } from "@treelog/stores"
import { cleanJson, cleanLine, cleanText } from "@treelog-internal/text"
import { type Command, CommanderError } from "commander"
import type { CommandDefinition } from "./define/command.js"
import { type Candidate, candidateLines } from "./errors/candidates.js"
import { adviceFor } from "./errors/command-message.js"
import { type Fault, faultOf, isBrokenPipe, stackOf } from "./errors/error-report.js"
import { EXIT, type ExitCode, exitCodeFor } from "./errors/exit-codes.js"
import { UsageError } from "./errors/usage-error.js"
import { canAsk } from "./io/can-ask.js"
import { CommandContext } from "./io/command-context.js"
import type { GlobalOptions } from "./io/global-options.js"
import type { Io } from "./io/io.js"
import { shellWord } from "./io/shell-command.js"
import { fullHelp, shortHelp } from "./program/help.js"
import { createProgram, type Task } from "./program/program.js"
import { styleFor } from "./render/style.js"
import { EVERY } from "./store/chosen-store.js"
import { configPath, readConfig } from "./store/config.js"

/** The definition of a command, with all that it does: each is a file of its own, also where it is built. */
export async function loadCommand(name: string): Promise<CommandDefinition> {
  return (await load(`./commands/${name}.js`)).command
}

/** A bundler leaves it as it is: the file is beside the one that this is in. */
const load = (path: string) => import(/* @vite-ignore */ path)

/** Carries out a command line (without node and script), and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await runProgram(argv, io)
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.ok
    throw error
  }
}

async function runProgram(given: readonly string[], io: Io): Promise<ExitCode> {
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
      await context.resources.close()
    }
  }
  const program = createProgram(
    loadCommand,
    (task) => carryOut(task, program.opts<GlobalOptions>()),
    (root) => configure(root, io, (text) => (help += text)),
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
    if (argv.length === 0 && io.stdout.isTTY && canAsk(io)) {
      const { findAll } = await load("./tui/finder/find.js")
      await carryOut((context) => findAll(context, shortHelp(program)), {})
      return exitCode
    }
    await program.parseAsync(argv.length === 0 ? ["--help"] : [...argv], { from: "user" }).catch(async (error) => {
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

function configure(program: Command, { stdout }: Io, writeOut: (text: string) => void): void {
  program.exitOverride().configureOutput({
    writeOut,
    // Errors are thrown too, and reported by the one who catches them. What is left is help that commander prints by itself.
    writeErr: writeOut,
    getOutHelpWidth: () => (stdout.isTTY ? stdout.columns : 100),
    getOutHasColors: () => false,
  })
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

/** Prints an error on stderr, in the form that the options select, and returns its exit code. */
async function reportError(error: unknown, io: Io, options: GlobalOptions): Promise<ExitCode> {
  const fault = faultOf(error)
  const stack = options.debug && error instanceof Error ? stackOf(error) : undefined
  if (options.json) {
    const { code, message, data } = fault
    const report = { v: 1, error: { code, message, data, ...(stack !== undefined && { stack }) } }
    await io.stderr.write(`${cleanJson(jsonText(report))}\n`)
  } else {
    const lines = [
      `treelog: ${cleanLine(fault.message)}`,
      ...candidatesOf(fault, io, options),
      ...hintLines(fault),
      ...adviceFor(error),
    ]
    if (stack !== undefined) lines.push(cleanText(stack))
    await io.stderr.write(`${lines.join("\n")}\n`)
  }
  return exitCodeFor(fault.code)
}

function candidatesOf({ code, data }: Fault, io: Io, options: GlobalOptions): string[] {
  if (code !== "AmbiguousSessionError") return []
  const { candidates } = data as { candidates: readonly Candidate[] }
  return candidateLines(candidates, { style: styleFor(io.stderr, io.env, options), now: io.now() })
}

/** `@last` looks in one folder only, which is easily forgotten. */
function hintLines({ code, data }: Fault): string[] {
  return code === "SessionNotFoundError" && "cwd" in data ? ["  --all searches every folder."] : []
}
