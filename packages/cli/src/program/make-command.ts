import { FILTER_NAMES, FILTERS, filterLabel } from "@treelog/session-core/search"
import { type Command, Option } from "commander"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"
import type { examples } from "./help-texts.js"
import { durationOption } from "./options.js"

export type CommandName = keyof typeof examples

/** Registers a command with its help. @param under the one that it belongs to, such as `blobs` */
export type MakeCommand = (name: CommandName, description: string, under?: Command) => Command

/** Gets what the user asked for. */
export type Start = (task: Task) => Promise<void>

/** What a command is: it gets its surroundings and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>

/** The same with its arguments, and then its options, as commander passes them. */
type Work = (context: CommandContext, ...given: never[]) => Promise<ExitCode>

/** What a command does with a store. */
type StoreWork = (context: CommandContext, sessions: Sessions, ...given: never[]) => Promise<ExitCode>

type Action = (...given: unknown[]) => Promise<void>

/**
 * What commander calls for a command.
 * @param load imports its code, which is not loaded before it runs; gets the arguments and options
 */
export type Runs = (load: (...given: never[]) => Promise<Work>) => Action

export function runs(start: Start): Runs {
  return (load) =>
    async (...all) => {
      // The last is the command itself.
      const given = all.slice(0, -1) as never[]
      const work = await load(...given)
      await start((context) => work(context, ...given))
    }
}

/** Does the work on each store that is meant. @param isOfAgentsToo the sessions of an agent have no files of a store */
export function onEveryStore(work: StoreWork, isOfAgentsToo = false): Work {
  return async (context, ...given) => {
    const { nothingExamined, onEach, openLibrary, openSource } = await import("../sessions/open-library.js")
    const { options } = context
    // One place for all: the store that is chosen is the one that uses it.
    if (options.blobs !== undefined)
      return work(context, (await openSource(context, { program: undefined, options })).sessions, ...given)
    const { sources } = await openLibrary(context)
    const own = sources.filter(({ program, agent }) => isOfAgentsToo || program === undefined || !agent)
    return own.length === 0
      ? nothingExamined(context, own)
      : onEach(context, own, (sessions) => work(context, sessions, ...given))
  }
}

/** A command that only has commands. */
export function groupOf(command: Command): Command {
  return command.helpCommand(false).usage("<command> [options]")
}

// Arguments and options that several commands share.

export const SESSION = "path of a session file, id, start or end of an id, name, @last or @-2"
export const NEWEST_OR = `${SESSION} (default: @last)`
export const ENTRY = "id of an entry, or its start"
export const INSTRUCTIONS = "what the summary should focus on"
export const SINCE_SESSION = "with a message since then: 2026-11-23, 30d, yesterday, last week"
export const UNTIL_SESSION = "without a later message"
export const SINCE = "from then on: 2026-11-23, 30d, yesterday, last week"
export const UNTIL = "up to then"
export const ALL_STORES = "of all programs that have a store here, whatever TREELOG_STORE or `treelog config` names"
export const DRY_RUN = "print what would change, and change nothing"

/** Adds the options that limit a command to some sessions. */
export function withFilters(command: Command): Command {
  for (const name of FILTER_NAMES) command.option(`--${filterLabel(name)} <${FILTERS[name].value}>`, FILTERS[name].help)
  return command
}

export const WITH = "go on in pi, omp or xcsh, with a copy of the session where it is of another agent"

/** What is printed of a session instead of going on with it. */
export function printOption(): Option {
  return new Option("--print [what]", "print its path or id, and run nothing").choices(["path", "id"]).preset("path")
}

const TIMEOUT = "time limit for the command; 0 for none"
const SUMMARIZER_TIMEOUT = 600_000

export function timeoutOption(): Option {
  return new Option("--timeout <duration>", TIMEOUT).default(SUMMARIZER_TIMEOUT, "10m").argParser(durationOption)
}
