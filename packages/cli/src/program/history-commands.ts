// Registers `treelog history` and its commands.

import { type Command, InvalidArgumentError, Option } from "commander"
import { UsageError } from "../errors/usage-error.js"
import type { ScopeName } from "../prompts/prompt-scope.js"
import type { MakeCommand, Runs } from "./make-command.js"
import { positiveInteger } from "./options.js"

const SCOPES: readonly ScopeName[] = ["all", "repository", "cwd", "session"]
const SESSION_ID = "a session's whole id, or @last, @-2"

export function addHistoryCommands(command: MakeCommand, run: Runs): void {
  /** Runs a command with the options that it and `history` have. */
  const runUnder: Runs =
    (load) =>
    (...all) =>
      run(load)(...all.slice(0, -2), optionsOf(all.at(-1) as Command), undefined)
  const history = command("history", "Find a prompt of any session, as you type, and print it. Needs a terminal.")
    .helpCommand(false)
    .usage("[command] [options]")
    .option("--query <text>", "start with this query")
    .allowExcessArguments()
    .action((own: object, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(`unknown command '${word}'; \`treelog history search\` searches for words.`)
      return run(async () => (await import("../commands/history/pick.js")).pickPrompt)(own, undefined)
    })
  scoped(history)
  scoped(command("history search", "Find the prompts that contain every word of a query, newest first.", history))
    .argument("<query>", "words, or parts of words, in any order")
    .option("-n, --limit <count>", "print at most this many (default: 100)", positiveInteger)
    .action(runUnder(async () => (await import("../commands/history/search.js")).searchPrompts))
  scoped(command("history recent", "List the newest prompts.", history))
    .option("-n, --limit <count>", "print at most this many (default: 100)", positiveInteger)
    .action(runUnder(async () => (await import("../commands/history/search.js")).recentPrompts))
  kept(command("history add", "Add a prompt to the history, with the current time.", history))
    .argument("[text]", "the prompt; `-` reads it from stdin")
    .option("--session <id>", `the session of the prompt: ${SESSION_ID}`)
    .action(runUnder(async () => (await import("../commands/history/add.js")).addPrompt))
  kept(
    command("history import", "Import earlier prompts. Prompts that the history has already do not change.", history),
  )
    .option("--from <source>", "sessions, claude-code, codex, or a history file of either", "sessions")
    .action(runUnder(async () => (await import("../commands/history/import.js")).importHistory))
  stored(command("history delete", "List prompts to remove; with --yes, remove them for good.", history))
    .argument("[id]", "the number that search and recent print; removes every prompt with the same text", promptId)
    .option("--query <text>", "prompts that match this query")
    .option("--session <id>", `prompts of a session: ${SESSION_ID}`)
    .option("-y, --yes", "remove them for good")
    .action(runUnder(async () => (await import("../commands/history/delete.js")).deletePrompts))
  stored(command("history stats", "Count the prompts of the history, and their bytes.", history)).action(
    runUnder(async () => (await import("../commands/history/search.js")).historyStats),
  )
}

/** commander assigns an option that both have to `history`, wherever it is. */
function optionsOf(command: Command): object {
  const given = command.parent?.opts() ?? {}
  const known = command.options.map((option) => option.attributeName())
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray !== undefined) throw new UsageError(`unknown option '--${stray}'`)
  return { ...given, ...command.opts() }
}

function stored(command: Command): Command {
  return command.option("--db <file>", "the database (default: history.db of the store)")
}

function kept(command: Command): Command {
  return stored(command)
    .option("--keep-secrets", "also add prompts that seem to contain a secret")
    .option("--ignore-space", "skip prompts that begin with a space, as shells do")
    .option("--ignore <regex>", "skip prompts that match; repeatable", andBefore)
}

function andBefore(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function scoped(command: Command): Command {
  return stored(command)
    .addOption(new Option("--scope <scope>", "which prompts; --cwd and --session imply theirs").choices(SCOPES))
    .option("--session <id>", `prompts of this session: ${SESSION_ID}`)
}

/** @throws InvalidArgumentError for what cannot be an id */
function promptId(text: string): number {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id)) throw new InvalidArgumentError("It must be a number.")
  return id
}
