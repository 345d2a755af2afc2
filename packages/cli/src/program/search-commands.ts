// Registers the commands that search in sessions, and those for the index that they use.

import { InvalidArgumentError, Option } from "commander"
import { version } from "../../package.json"
import {
  ALL_STORES,
  type MakeCommand,
  onEveryStore,
  printOption,
  type Runs,
  SESSION,
  SINCE,
  UNTIL,
  WITH,
  withFilters,
} from "./make-command.js"
import { positiveInteger, wholeNumber } from "./options.js"

const ROLES = ["user", "assistant", "thinking", "tool", "call", "result", "summary", "label", "name", "other"]

export function addSearchCommands(command: MakeCommand, run: Runs): void {
  withFilters(
    command(
      "search",
      'Find what was said and done in the sessions of this folder: words, "phrases", prefix*, -excluded, and filters such as role:user, tool:bash, since:30d.',
    ).argument("[text...]", "all words have to occur in the same message; without any: search as you type"),
  )
    .addOption(new Option("--role <role>", "who said it; repeatable").choices(ROLES).argParser(oneMore(ROLES)))
    .option("--since <time>", SINCE)
    .option("--until <time>", UNTIL)
    .option("--tool <name>", "calls and results of a tool")
    .option("--file <path>", "sessions that read or changed a file with this path, or end of a path")
    .option("--session <session>", `only in this session: ${SESSION}`)
    .addOption(new Option("--sort <order>", "sort order").choices(["newest", "relevance"]).default("newest"))
    .option("-n, --limit <count>", "print at most this many (default: 20)", positiveInteger)
    .option("--context <count>", "also print this many messages before and after each (default: 0)", wholeNumber)
    .option("--all-stores", ALL_STORES)
    .option("--with <agent>", WITH)
    .addOption(printOption())
    .option("--prompts", "only what you typed, from what agents keep of it, else from sessions")
    .action(
      run(async (_: unknown, { prompts }: { prompts?: boolean }) =>
        prompts
          ? (await import("../commands/search-typed.js")).searchTyped
          : (await import("../commands/search.js")).search,
      ),
    )
  withFilters(
    command("files", "List the sessions of this folder that read or changed a file, the newest use first.").argument(
      "<path>",
      "path of a file, or its end",
    ),
  )
    .option("--changed", "only changes")
    .option("--since <time>", SINCE)
    .option("--until <time>", UNTIL)
    .option("-n, --limit <count>", "print at most this many sessions (default: 50)", positiveInteger)
    .action(run(async () => (await import("../commands/files.js")).files))
  addIndexCommand(command, run)
  command(
    "doctor",
    "Say of each program and agent where its sessions are, how many can be read, what of their newest ones treelog does not know, and how many are in the index.",
  ).action(run(async () => (await import("../commands/doctor.js")).doctor))
  command(
    "mcp",
    "Let an agent search and read the sessions of this folder, or with --all of every folder, over the Model Context Protocol on stdin and stdout. Only reads.",
  ).action(
    run(async () => {
      const { mcp } = await import("../commands/mcp.js")
      return (context) => mcp(context, version)
    }),
  )
}

function addIndexCommand(command: MakeCommand, run: Runs): void {
  command(
    "index",
    "Show the index that search, files and stats --by use, or work on it. It is in treelog's cache folder, and can be deleted.",
  )
    .option("--update", "check the file, and read what is new in the sessions; search reads it, too")
    .option("--rebuild", "delete the index, and build it from all sessions")
    .action(
      run(async (own: object) => {
        const { index, requireOne } = await import("../commands/search-index.js")
        requireOne(own)
        return onEveryStore(index, true)
      }),
    )
}

/** Collects the values of a repeatable option. @throws InvalidArgumentError for what is none of them */
function oneMore(choices: readonly string[]): (value: string, before: readonly string[] | undefined) => string[] {
  return (value, before = []) => {
    if (!choices.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`)
    return [...before, value]
  }
}
