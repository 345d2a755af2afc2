// Registers the commands that find sessions and show what is in them. They change nothing, except `tree` with --select or -i.

import { Option } from "commander"
import {
  ALL_STORES,
  INSTRUCTIONS,
  type MakeCommand,
  NEWEST_OR,
  printOption,
  type Runs,
  SESSION,
  SINCE,
  SINCE_SESSION,
  timeoutOption,
  UNTIL,
  UNTIL_SESSION,
  WITH,
  withFilters,
} from "./make-command.js"
import { portNumber, positiveInteger } from "./options.js"

const LLM_FORMATS = ["anthropic", "openai", "openai-responses", "ai-sdk"]
const USAGE_BY = ["hour", "day", "week", "month", "model", "project", "agent", "person", "session", "tool"]
const SESSION_SORTS = ["activity", "name", "created"]
const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"]

export function addReadingCommands(command: MakeCommand, run: Runs): void {
  withFilters(command("list", "List the sessions of a folder, newest first."))
    .option("-n, --limit <count>", "print at most this many", positiveInteger)
    .option("--since <time>", SINCE_SESSION)
    .option("--until <time>", UNTIL_SESSION)
    .option("--group", "sessions of every folder, grouped by folder")
    .option("--all-stores", ALL_STORES)
    .action(run(async () => (await import("../commands/list.js")).list))
  withFilters(
    command(
      "resume",
      "Find a session as you type, and continue it in its agent. Without a terminal, or with --print, prints its path or id.",
    ).argument("[session]", `take this one, without asking: ${SESSION}`),
  )
    .option("--last", "take the newest, without asking")
    .option("--query <text>", "start with this query; without a terminal, print every session that matches")
    .addOption(new Option("--sort <order>", "sort order").choices(SESSION_SORTS).default("activity"))
    .option("--named", "only sessions that have a name")
    .option("--leaf <entry>", "with a session: go on from this entry, in a copy of its branch")
    .option("--with <agent>", WITH)
    .addOption(printOption())
    .action(run(async () => (await import("../commands/resume/resume.js")).resume))
  command("show", "Print a branch of a session as readable text.")
    .argument("[session]", NEWEST_OR)
    .option("--leaf <entry>", "the branch that ends at this entry (default: the current branch)")
    .option("-n, --tail <count>", "print only this many messages, the last of the branch", positiveInteger)
    .option(
      "--full",
      "do not truncate instructions, tool results, thinking and calls; also what programs keep, such as queues and usage",
    )
    .action(run(async () => (await import("../commands/show.js")).show))
  command("tree", "Print the tree of a session: every branch, labels, compactions, and the current entry.")
    .argument("[session]", NEWEST_OR)
    .addOption(new Option("--filter <filter>", "which entries to show").choices(TREE_FILTERS).default("default"))
    .option("-i, --interactive", "browse the tree, set labels, and choose an entry to continue from; needs a terminal")
    .option("--select <entry>", "continue from this entry; for a user message from the one before, and print its text")
    .option(
      "--summarizer <command>",
      "with -i or --select: a command that summarizes the branch that you leave; -i asks first",
    )
    .option("--instructions <text>", INSTRUCTIONS)
    .addOption(timeoutOption())
    .action(run(async () => (await import("../commands/tree.js")).tree))
  command("context", "Print the context: the messages that the model would get.")
    .argument("[session]", NEWEST_OR)
    .option("--leaf <entry>", "the context at this entry; `root` means before the first entry")
    .option("--provider <name>", "for this provider: without what its own compaction replaced")
    .addOption(
      new Option("--llm <format>", "print the messages as a model's API takes them, as JSON").choices(LLM_FORMATS),
    )
    .option("--repair", "with --llm: repair what the API would reject, and list the changes on stderr")
    .option("--full", "do not truncate")
    .action(run(async () => (await import("../commands/context.js")).showContext))
  withFilters(
    command(
      "stats",
      "Sum tokens and cost of all sessions of the last 30 days; or count messages, usage, files and bytes of one session.",
    ).argument(
      "[session]",
      `${SESSION} (default: the sums of all agents, of the last 30 days; with --all of all times)`,
    ),
  )
    .option("--files", "also list the files that were read and modified")
    .option("--disk", "only the disk space")
    .addOption(
      new Option("--by <what>", "one sum for each; `tool`: what fills the context of a session").choices(USAGE_BY),
    )
    .option("--since <time>", `tokens and cost ${SINCE}`)
    .option("--until <time>", UNTIL)
    .option("--csv", "print the sums as CSV, by day or as --by says")
    .option("--all-stores", ALL_STORES)
    .action(run(async () => (await import("../commands/stats.js")).stats))
  command("watch", "Print the entries of a session as other processes append them, until Ctrl-C. Writes nothing.")
    .argument("[session]", NEWEST_OR)
    .option("-n, --tail <count>", "first print this many messages, the last of the current branch", positiveInteger)
    .option("--from-start", "first print the stored entries: all branches, in file order")
    .option("--full", "do not truncate")
    .action(run(async () => (await import("../commands/watch.js")).watch))
  command(
    "view",
    "Show all sessions in your browser, with search and usage, or one session, live, until Ctrl-C. Writes nothing to the stores.",
  )
    .argument("[session]", `${SESSION} (default: the page of all sessions)`)
    .option("--no-open", "print the address only, do not open a browser")
    .option("--port <port>", "port of the server (default: any free port)", portNumber)
    .action(run(async () => (await import("../commands/view.js")).view))
}
