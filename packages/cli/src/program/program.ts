// Makes the command line. Nothing but commander is loaded here: a command's code is imported when it runs.

import { STORES } from "@treelog/stores"
import { Argument, Command } from "commander"
import { version } from "../../package.json"
import type { Shell } from "../completion/scripts.js"
import { shortHelp } from "./help-page.js"
import { helpLayout, helpStart, SEE_ALL_OPTIONS, summaries } from "./help-texts.js"
import { addHousekeepingCommands } from "./housekeeping-commands.js"
import { type CommandName, type MakeCommand, type Runs, runs, type Start } from "./make-command.js"
import { addReadingCommands } from "./reading-commands.js"
import { addRepairCommands } from "./repair-commands.js"
import { addSearchCommands } from "./search-commands.js"
import { addSharingCommands } from "./sharing-commands.js"
import { addStoreCommands } from "./store-commands.js"
import { addWritingCommands } from "./writing-commands.js"

interface CommandGroup {
  readonly names: readonly CommandName[]
  readonly add: (command: MakeCommand, run: Runs) => void
}

/** In the order of `--help`. */
const GROUPS: readonly CommandGroup[] = [
  { names: ["list", "resume", "show", "tree", "context", "stats", "watch", "view"], add: addReadingCommands },
  { names: ["search", "files", "index", "doctor", "mcp"], add: addSearchCommands },
  { names: ["new", "append", "branch", "compact", "fork", "label", "name"], add: addWritingCommands },
  { names: ["verify", "repair", "blobs"], add: addRepairCommands },
  { names: ["export", "import", "bundle", "scan"], add: addSharingCommands },
  { names: ["config", "store"], add: addStoreCommands },
  { names: ["delete", "trash", "relocate"], add: addHousekeepingCommands },
]

/**
 * The command line.
 * @param start gets what the user asked for
 * @param configure is applied before there are commands, so that they inherit it
 * @param first the first word of what was typed: where that is a command, those of other groups are not made
 */
export function createProgram(start: Start, configure: (program: Command) => void, first?: string): Command {
  const program = new Command("treelog")
  configure(program)
  program
    .description("List, read, search, repair and share the sessions of AI coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .configureHelp({ ...helpLayout, formatHelp: (command) => shortHelp(command) })
    .usage("<command> [options]")
  addGlobalOptions(program)

  const command: MakeCommand = (name, description, under = program) =>
    under
      .command(name.replace(/^.* /, ""))
      .summary(summaries[name])
      .description(description)
      .helpOption("-h, --help", "show this help")
      .configureHelp(helpLayout)
      .addHelpText("before", helpStart(name))
      .addHelpText("after", SEE_ALL_OPTIONS)

  const asked = GROUPS.filter(({ names }) => names.some((name) => name === first))
  for (const { add } of asked.length > 0 ? asked : GROUPS) add(command, runs(start))
  if (asked.length === 0) addCompletion(program, command, runs(start))
  return program
}

/** It completes every command. */
function addCompletion(program: Command, command: MakeCommand, run: Runs): void {
  command("completion", "Print a script that makes a shell complete commands, options and sessions.")
    .addArgument(new Argument("<shell>", "name of the shell").choices(["bash", "zsh", "fish"]))
    .argument("[words...]", "after `--`: a command line; print completions of its last word")
    .action(
      run(async () => {
        const { completion } = await import("../commands/completion.js")
        return (context, shell: Shell, words: readonly string[]) => completion(context, program, shell, words)
      }),
    )
}

function addGlobalOptions(program: Command): void {
  program
    .option("--store <store>", `a program (${STORES.join(", ")}), a folder, or postgres://host/database`)
    .option("--agent-dir <folder>", "a store: the folder that contains `sessions`")
    .option("--session-dir <folder>", "a folder of session files, instead of a store")
    .option("--blobs <place>", "where images are: a folder, or s3://bucket/prefix (default: in the store of files)")
    .option("--cwd <folder>", "project folder (default: this folder)")
    .option("--all", "sessions of every project")
    .option("--json", "print JSON; errors too, on stderr")
    .option("--no-color", "print without colours")
    .option("--no-pager", "print without a pager")
    .option("--no-input", "never ask; name the option to use instead")
    .option("-q, --quiet", "print only errors on stderr")
    .option("--debug", "print the stack of an error")
}
