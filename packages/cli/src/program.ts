// Registers every command. Nothing but commander is loaded here: a command's code is imported when it runs.

import { Argument, Command, Option } from "commander"
import { version } from "../package.json"
import type { ChangeCommandOptions } from "./change-options.js"
import type { AppendOptions } from "./commands/append.js"
import type { GcOptions } from "./commands/blobs-gc.js"
import type { BranchOptions } from "./commands/branch.js"
import type { CompactCommandOptions } from "./commands/compact.js"
import type { ContextCommandOptions } from "./commands/context.js"
import type { ForkOptions } from "./commands/fork/fork-options.js"
import type { ListOptions } from "./commands/list.js"
import type { NameOptions } from "./commands/name.js"
import type { NewOptions } from "./commands/new.js"
import type { ResumeOptions } from "./commands/resume/resume-options.js"
import type { ShowOptions } from "./commands/show.js"
import type { StatsOptions } from "./commands/stats.js"
import type { TreeOptions } from "./commands/tree/tree-options.js"
import type { ViewOptions } from "./commands/view.js"
import type { WatchOptions } from "./commands/watch.js"
import type { Shell } from "./completion/scripts.js"
import { durationOption } from "./duration-option.js"
import type { GlobalOptions } from "./global-options.js"
import { examples, SEE_ALL_OPTIONS, SHELL_NOTES, summaries } from "./help-texts.js"
import { addHistoryCommands } from "./history-commands.js"
import { addHousekeepingCommands } from "./housekeeping-commands.js"
import { portNumber } from "./port-number.js"
import { positiveInteger } from "./positive-integer.js"
import { addSharingCommands } from "./sharing-commands.js"
import type { Task } from "./task.js"

const SESSION = "path, id, start of an id, name, @last, or @-2"
const NEWEST_OR = `${SESSION} (default: @last)`
const ENTRY = "id of an entry, or the start of it"
const INSTRUCTIONS = "what the summary should pay special attention to"
const TIMEOUT = "how long the command may take; 0 for no limit"
const SUMMARIZER_TIMEOUT = 600_000
const DRY_RUN = "say what would be done, and do nothing"
const ROLES = ["user", "assistant", "system", "developer", "custom"]
const LLM_FORMATS = ["anthropic", "openai", "openai-responses", "ai-sdk"]
const SESSION_SORTS = ["activity", "name", "created"]
const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"]

/**
 * The command line.
 * @param start gets what the user asked for
 * @param configure is applied before there are commands, so that they inherit it
 */
export function createProgram(start: (task: Task) => Promise<void>, configure: (program: Command) => void): Command {
  const program = new Command("treelog")
  configure(program)
  program
    .description("Reads, grows and checks the session files of AI coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("before", examples.treelog)
    .addHelpText("after", SHELL_NOTES)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .usage("<command> [options]")
  addGlobalOptions(program)

  const command = (
    name: Exclude<keyof typeof examples, "treelog">,
    description: string,
    under: Command = program,
  ): Command =>
    under
      .command(name.replace(/^.* /, ""))
      .summary(summaries[name])
      .description(description)
      .helpOption("-h, --help", "show this help")
      .addHelpText("before", examples[name])
      .addHelpText("after", SEE_ALL_OPTIONS)

  command("list", "List the sessions of a folder, newest first.")
    .option("-n, --limit <count>", "show only the newest", positiveInteger)
    .action(async (own: ListOptions) => {
      const { list } = await import("./commands/list.js")
      await start((context) => list(context, own))
    })
  command(
    "resume",
    "Browse sessions, and print the path or id of the one that is chosen. Needs a terminal, or an option.",
  )
    .option("--last", "the newest of them, without asking")
    .option("--session <session>", `this one, without asking: ${SESSION}`)
    .option("--query <text>", "begin with this query; without a terminal: every session that holds it")
    .addOption(new Option("--sort <order>", "which comes first").choices(SESSION_SORTS).default("activity"))
    .option("--named", "only those that have a name")
    .addOption(new Option("--print <what>", "what is printed").choices(["path", "id"]).default("path"))
    .action(async (own: ResumeOptions) => {
      const { resume } = await import("./commands/resume/resume.js")
      await start((context) => resume(context, own))
    })
  command("show", "Print a branch of a session as people read it.")
    .argument("[session]", NEWEST_OR)
    .option("--leaf <entry>", "the branch that ends here (default: the one that the session stands on)")
    .option("--full", "cut nothing: whole tool results, thinking and calls")
    .action(async (ref: string | undefined, own: ShowOptions) => {
      const { show } = await import("./commands/show.js")
      await start((context) => show(context, ref, own))
    })
  command("tree", "Draw the tree of a session: every branch, labels, compactions, and where it stands.")
    .argument("[session]", NEWEST_OR)
    .addOption(new Option("--filter <filter>", "what is shown").choices(TREE_FILTERS).default("default"))
    .option("-i, --interactive", "walk through it, label, and choose an entry to go to; needs a terminal")
    .option("--select <entry>", "go to this entry; from a message of yours to the one before, and print its text")
    .option("--summarizer <command>", "with either: what can tell of the branch that is left; -i asks whether it shall")
    .option("--instructions <text>", INSTRUCTIONS)
    .addOption(timeoutOption())
    .action(async (ref: string | undefined, own: TreeOptions) => {
      const { tree } = await import("./commands/tree.js")
      await start((context) => tree(context, ref, own))
    })
  command("context", "Print what the model would get.")
    .argument("[session]", NEWEST_OR)
    .option("--leaf <entry>", "as if the session stood here; `root` means before everything")
    .option("--provider <name>", "for this provider: without what its own compaction replaced")
    .addOption(
      new Option("--llm <format>", "print the messages as a model's API takes them, as JSON").choices(LLM_FORMATS),
    )
    .option("--repair", "with --llm: mend what the API would refuse, and say on stderr what was mended")
    .option("--full", "cut nothing")
    .action(async (ref: string | undefined, own: ContextCommandOptions) => {
      const { showContext } = await import("./commands/context.js")
      await start((context) => showContext(context, ref, own))
    })
  command(
    "stats",
    "Count messages, tokens and cost by model, files, and the bytes of a session, its artifacts and blobs.",
  )
    .argument("[session]", `${SESSION} (default: @last; with --all every session together)`)
    .option("--files", "name the files that were read and modified, too")
    .option("--disk", "only what it takes on the disk")
    .action(async (ref: string | undefined, own: StatsOptions) => {
      const { stats } = await import("./commands/stats.js")
      await start((context) => stats(context, ref, own))
    })
  command("watch", "Print the entries of a session as others append them, until Ctrl-C. Writes nothing.")
    .argument("[session]", NEWEST_OR)
    .option("--from-start", "print first what is there, all branches in the order of the file")
    .option("--full", "cut nothing")
    .action(async (ref: string | undefined, own: WatchOptions) => {
      const { watch } = await import("./commands/watch.js")
      await start((context) => watch(context, ref, own))
    })
  command("view", "Show a session in a browser of this machine, as it grows, until Ctrl-C. Writes nothing.")
    .argument("[session]", NEWEST_OR)
    .option("--no-open", "print the address, and open no browser")
    .option("--port <port>", "serve it there (default: any port that is free)", portNumber)
    .action(async (ref: string | undefined, own: ViewOptions) => {
      const { view } = await import("./commands/view.js")
      await start((context) => view(context, ref, own))
    })
  command("new", "Begin a session, and print its id and path.")
    .option("--name <name>", "what to call it")
    .option("--id <id>", "an id of your own: letters, digits, `.`, `_`, `-`")
    .option("--parent <session>", "the session that it comes from")
    .action(async (own: NewOptions) => {
      const { newSession } = await import("./commands/new.js")
      await start((context) => newSession(context, own))
    })
  command("append", "Append a message where the session stands, and print the id of its entry.")
    .argument("<session>", SESSION)
    .argument("[message]", "the message as JSON; `-` reads it from stdin")
    .addOption(new Option("--role <role>", "who speaks, with --text").choices(ROLES))
    .option("--text <text>", "what is said, with --role")
    .option("--model <provider/id>", "who answered, with --role assistant")
    .option("--custom-type <type>", "which extension speaks, with --role custom (default: note)")
    .action(async (ref: string, json: string | undefined, own: AppendOptions) => {
      const { append } = await import("./commands/append.js")
      await start((context) => append(context, ref, json, own))
    })
  command("branch", "Go back to an entry: what is appended next begins a new branch there.")
    .argument("<session>", SESSION)
    .argument("<entry>", `${ENTRY}; \`root\` means before everything`)
    .option("--summary <text>", "tell the new branch what the one that is left was about")
    .option("--summarize <command>", "let a command tell: it gets a prompt on stdin, and answers on stdout")
    .option("--instructions <text>", INSTRUCTIONS)
    .addOption(timeoutOption())
    .action(async (ref: string, entry: string, own: BranchOptions) => {
      const { branch } = await import("./commands/branch.js")
      await start((context) => branch(context, ref, entry, own))
    })
  command("compact", "Put a summary in the place of all but the newest messages, for the model. Nothing is removed.")
    .argument("<session>", SESSION)
    .option("--summarizer <command>", "what writes the summary: it gets a prompt on stdin, and answers on stdout")
    .option("--summary <file>", "a summary that was written already; `-` reads it from stdin")
    .option("--instructions <text>", INSTRUCTIONS)
    .option("--keep <tokens>", "about how much of the newest messages stays as it is (default: 20000)", positiveInteger)
    .addOption(timeoutOption())
    .option("-n, --dry-run", "say what would be summarized and what kept, and do nothing")
    .option("-v, --verbose", "with --dry-run: print the prompt, too")
    .action(async (ref: string, own: CompactCommandOptions) => {
      const { compactSession } = await import("./commands/compact.js")
      await start((context) => compactSession(context, ref, own))
    })
  command("fork", "Copy a session into a new one, and print its id and path. The source is not touched.")
    .argument("<session>", SESSION)
    .option("--leaf <entry>", "copy only the way to this entry (default: all branches)")
    .option("--before <entry>", "copy only the way to what precedes this message of yours, and print its text")
    .option("-i, --interactive", "choose that message; needs a terminal")
    .option(
      "--to <folder>",
      "the folder that the copy belongs to (default: this one, or with one of these options that of the source)",
    )
    .action(async (ref: string, own: ForkOptions) => {
      const { fork } = await import("./commands/fork.js")
      await start((context) => fork(context, ref, own))
    })
  command("label", "Label an entry; without a text, take its label off.")
    .argument("<session>", SESSION)
    .argument("<entry>", ENTRY)
    .argument("[text]", "the label")
    .action(async (ref: string, entry: string, text: string | undefined) => {
      const { label } = await import("./commands/label.js")
      await start((context) => label(context, ref, entry, text))
    })
  command("name", "Name a session; without a name, print the one that it has.")
    .argument("<session>", SESSION)
    .argument("[name]", "the name")
    .option("--clear", "take the name off")
    .action(async (ref: string, text: string | undefined, own: NameOptions) => {
      const { name } = await import("./commands/name.js")
      await start((context) => name(context, ref, text, own))
    })
  command("verify", "Name every fault of a session, with line and byte offset. Changes nothing.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .action(async (ref: string | undefined) => {
      const { verify } = await import("./commands/verify.js")
      await start((context) => verify(context, ref))
    })
  command("repair", "Mend a session. It is kept as it was, with the list of changes, beside it. No message is dropped.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { repair } = await import("./commands/repair.js")
      await start((context) => repair(context, ref, own))
    })
  command("migrate", "Bring sessions to the current version. Each is kept as it was, beside it.")
    .argument("[session]", `${SESSION}; without one, --all means every session`)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string | undefined, own: ChangeCommandOptions) => {
      const { migrate } = await import("./commands/migrate.js")
      await start((context) => migrate(context, ref, own))
    })
  command("slim", "Move the images and very long texts of a session to its blobs. It is kept as it was, beside it.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { slim } = await import("./commands/slim.js")
      await start((context) => slim(context, ref, own))
    })
  command("inflate", "Put images and long texts back into a session, for programs that know no blobs.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { inflate } = await import("./commands/slim.js")
      await start((context) => inflate(context, ref, own))
    })
  const blobs = command("blobs", "Images and very long texts that were moved out of sessions, each kept once.")
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .helpCommand(false)
    .usage("<command> [options]")
  command("blobs ls", "List the blobs of a store.", blobs).action(async () => {
    const { listBlobs } = await import("./commands/blobs-ls.js")
    await start(listBlobs)
  })
  command("blobs verify", "Read every blob, and name those that are not what was stored.", blobs).action(async () => {
    const { verifyStoredBlobs } = await import("./commands/blobs-verify.js")
    await start(verifyStoredBlobs)
  })
  command("blobs gc", "Say which blobs no session names, and with --apply take them away.", blobs)
    .option("--apply", "move them to the trash, where they stay until the next --apply")
    .option(
      "--grace <duration>",
      "spare what was put within this time: 90s, 30m, 12h, 2w (default: 1d)",
      durationOption,
    )
    .option("--root <path...>", "spare what is named here too: folders, or files of sessions")
    .option("--allow-unparsable", "go on where a line of a session cannot be read")
    .option("--undo", "give back what the last --apply took")
    .action(async (own: GcOptions) => {
      const { collectBlobs } = await import("./commands/blobs-gc.js")
      await start((context) => collectBlobs(context, own))
    })
  addSharingCommands(command, start)
  addHousekeepingCommands(command, start)
  addHistoryCommands(command, start)
  command("completion", "Print what makes a shell complete commands, options, and sessions by their ids and names.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .argument("[words...]", "behind `--`: a command line; print what its last word may become")
    .action(async (shell: Shell, words: string[]) => {
      const { completion } = await import("./commands/completion.js")
      await start((context) => completion(context, program, shell, words))
    })
  return program
}

function addGlobalOptions(program: Command): void {
  const stores: readonly NonNullable<GlobalOptions["store"]>[] = ["treelog", "pi", "xcsh", "omp"]
  program
    .addOption(new Option("--store <program>", "whose sessions").choices(stores))
    .option("--agent-dir <folder>", "a store anywhere: the folder with `sessions` in it")
    .option("--session-dir <folder>", "a folder of session files, instead of a store")
    .option("--blobs <folder>", "where images are (default: of the session's store, or beside it)")
    .option("--cwd <folder>", "the project that is meant (default: this folder)")
    .option("--all", "sessions of every project")
    .option("--json", "print JSON; errors too, on stderr")
    .option("--no-color", "no colours")
    .option("--no-input", "never ask; say which option answers instead")
    .option("-q, --quiet", "say nothing on stderr but errors")
    .option("--debug", "show where an error comes from")
}

function timeoutOption(): Option {
  return new Option("--timeout <duration>", TIMEOUT).default(SUMMARIZER_TIMEOUT, "10m").argParser(durationOption)
}
