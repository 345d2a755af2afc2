// Registers `treelog history` and what is under it.

import { type Command, InvalidArgumentError, Option } from "commander"
import type { AddOptions } from "../commands/history/add.js"
import type { DeleteOptions } from "../commands/history/delete.js"
import type { ImportOptions } from "../commands/history/import.js"
import type { PickOptions } from "../commands/history/pick.js"
import type { SearchOptions } from "../commands/history/search.js"
import { UsageError } from "../errors/usage-error.js"
import type { HistoryOptions } from "../prompts/open-history.js"
import type { ScopeName } from "../prompts/prompt-scope.js"
import type { MakeCommand, Start } from "./make-command.js"
import { positiveInteger } from "./option-parsers.js"

const SCOPES: readonly ScopeName[] = ["all", "repository", "cwd", "session"]
const SESSION_ID = "a session's whole id, or @last, @-2"

export function addHistoryCommands(command: MakeCommand, start: Start): void {
  const history = command("history", "Find a prompt of any session, as you type, and print it. Needs a terminal.")
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .helpCommand(false)
    .usage("[command] [options]")
    .option("--query <text>", "begin with this query")
    .allowExcessArguments()
    .action(async (own: PickOptions, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(`unknown command '${word}'; \`treelog history search\` takes words to look for.`)
      const { pickPrompt } = await import("../commands/history/pick.js")
      await start((context) => pickPrompt(context, own))
    })
  scoped(history)
  scoped(command("history search", "Find the prompts that hold every word of a query, newest first.", history))
    .argument("<query>", "words, or parts of words, in any order")
    .option("-n, --limit <count>", "at most so many (default: 100)", positiveInteger)
    .action(async (query: string, _: unknown, under: Command) => {
      const { searchPrompts } = await import("../commands/history/search.js")
      const own = optionsOf<SearchOptions>(under)
      await start((context) => searchPrompts(context, query, own))
    })
  scoped(command("history recent", "List the newest prompts.", history))
    .option("-n, --limit <count>", "at most so many (default: 100)", positiveInteger)
    .action(async (_: unknown, under: Command) => {
      const { searchPrompts } = await import("../commands/history/search.js")
      const own = optionsOf<SearchOptions>(under)
      await start((context) => searchPrompts(context, "", own))
    })
  kept(command("history add", "Keep a prompt of now.", history))
    .argument("[text]", "the prompt; `-` reads it from stdin")
    .option("--session <id>", `where it was given: ${SESSION_ID}`)
    .action(async (text: string | undefined, _: unknown, under: Command) => {
      const { addPrompt } = await import("../commands/history/add.js")
      const own = optionsOf<AddOptions>(under)
      await start((context) => addPrompt(context, text, own))
    })
  kept(
    command(
      "history import",
      "Take in the prompts of the past. Those that are there already stay as they are.",
      history,
    ),
  )
    .option("--from <source>", "sessions, claude-code, codex, or a file of either's prompts", "sessions")
    .action(async (_: unknown, under: Command) => {
      const { importHistory } = await import("../commands/history/import.js")
      const own = optionsOf<ImportOptions>(under)
      await start((context) => importHistory(context, own))
    })
  stored(command("history delete", "Remove prompts for good; without --yes, show which.", history))
    .argument("[id]", "the number that search and recent show; its text goes wherever it was given", promptId)
    .option("--query <text>", "those that a search for it finds")
    .option("--session <id>", `those of a session: ${SESSION_ID}`)
    .option("-y, --yes", "do it")
    .action(async (id: number | undefined, _: unknown, under: Command) => {
      const { deletePrompts } = await import("../commands/history/delete.js")
      const own = optionsOf<DeleteOptions>(under)
      await start((context) => deletePrompts(context, id, own))
    })
  stored(command("history stats", "Count the prompts, and the bytes that they take.", history)).action(
    async (_: unknown, under: Command) => {
      const { historyStats } = await import("../commands/history/stats.js")
      const own = optionsOf<HistoryOptions>(under)
      await start((context) => historyStats(context, own))
    },
  )
}

/** commander gives an option to `history` that both know, wherever it stands. */
function optionsOf<Options>(command: Command): Options {
  const given = command.parent?.opts() ?? {}
  const known = command.options.map((option) => option.attributeName())
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray !== undefined) throw new UsageError(`unknown option '--${stray}'`)
  return { ...given, ...command.opts() } as Options
}

function stored(command: Command): Command {
  return command.option("--db <file>", "the database (default: history.db of the store)")
}

function kept(command: Command): Command {
  return stored(command)
    .option("--keep-secrets", "keep also what looks like it holds a secret")
    .option("--ignore-space", "pass over what begins with a space, as shells do")
    .option("--ignore <regex>", "pass over what this matches; may be given again", andBefore)
}

function andBefore(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function scoped(command: Command): Command {
  return stored(command)
    .addOption(new Option("--scope <scope>", "whose prompts; --cwd and --session mean theirs").choices(SCOPES))
    .option("--session <id>", `of this session: ${SESSION_ID}`)
}

/** @throws InvalidArgumentError for what cannot be an id */
function promptId(text: string): number {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id)) throw new InvalidArgumentError("It must be a number.")
  return id
}
