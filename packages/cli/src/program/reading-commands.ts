// Registers the commands that find sessions and show what is in them. They change nothing, but where `tree` goes.

import { Option } from "commander"
import type { ContextCommandOptions } from "../commands/context/context-options.js"
import type { ListOptions } from "../commands/list.js"
import type { ResumeOptions } from "../commands/resume/resume-options.js"
import type { ShowOptions } from "../commands/show.js"
import type { StatsOptions } from "../commands/stats.js"
import type { TreeOptions } from "../commands/tree/tree-options.js"
import type { ViewOptions } from "../commands/view.js"
import type { WatchOptions } from "../commands/watch.js"
import { INSTRUCTIONS, NEWEST_OR, SESSION, timeoutOption } from "./arguments.js"
import type { MakeCommand, Start } from "./make-command.js"
import { portNumber, positiveInteger } from "./option-parsers.js"

const LLM_FORMATS = ["anthropic", "openai", "openai-responses", "ai-sdk"]
const SESSION_SORTS = ["activity", "name", "created"]
const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"]

export function addReadingCommands(command: MakeCommand, start: Start): void {
  command("list", "List the sessions of a folder, newest first.")
    .option("-n, --limit <count>", "show only the newest", positiveInteger)
    .action(async (own: ListOptions) => {
      const { list } = await import("../commands/list.js")
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
      const { resume } = await import("../commands/resume/resume.js")
      await start((context) => resume(context, own))
    })
  command("show", "Print a branch of a session as people read it.")
    .argument("[session]", NEWEST_OR)
    .option("--leaf <entry>", "the branch that ends here (default: the one that the session stands on)")
    .option("--full", "cut nothing: whole tool results, thinking and calls")
    .action(async (ref: string | undefined, own: ShowOptions) => {
      const { show } = await import("../commands/show.js")
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
      const { tree } = await import("../commands/tree.js")
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
      const { showContext } = await import("../commands/context.js")
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
      const { stats } = await import("../commands/stats.js")
      await start((context) => stats(context, ref, own))
    })
  command("watch", "Print the entries of a session as others append them, until Ctrl-C. Writes nothing.")
    .argument("[session]", NEWEST_OR)
    .option("--from-start", "print first what is there, all branches in the order of the file")
    .option("--full", "cut nothing")
    .action(async (ref: string | undefined, own: WatchOptions) => {
      const { watch } = await import("../commands/watch.js")
      await start((context) => watch(context, ref, own))
    })
  command("view", "Show a session in a browser of this machine, as it grows, until Ctrl-C. Writes nothing.")
    .argument("[session]", NEWEST_OR)
    .option("--no-open", "print the address, and open no browser")
    .option("--port <port>", "serve it there (default: any port that is free)", portNumber)
    .action(async (ref: string | undefined, own: ViewOptions) => {
      const { view } = await import("../commands/view.js")
      await start((context) => view(context, ref, own))
    })
}
