import { type Command, Option } from "commander"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import type { examples } from "./help-texts.js"
import { durationOption } from "./options.js"

export type CommandName = keyof typeof examples

/** Registers a command with its help. @param under the one that it belongs to, such as `blobs` */
export type MakeCommand = (name: CommandName, description: string, under?: Command) => Command

/** Gets what the user asked for. */
export type Start = (task: Task) => Promise<void>

/** What a command is: it gets its surroundings and returns an exit code. */
export type Task = (context: CommandContext) => Promise<ExitCode>

/**
 * Starts commands that read one session in the store that has it: without `--store`, those of all programs are meant.
 * @returns a function that gets the reference to the session, and the command
 */
export function startInStoreOf(start: Start): (ref: string | undefined, task: SessionTask) => Promise<void> {
  return (ref, task) =>
    start(async (context) => {
      const { inStoreOf } = await import("../sessions/in-store-of.js")
      const found = await inStoreOf(context, ref)
      return task(found.context, found.ref)
    })
}

/** A command that works on the files of one store, for each store that is meant. The sessions of an agent have none. */
export function onEveryStore(task: Task, isOfAgentsToo = false): Task {
  return async (context) => {
    // One place for all: the store that is chosen is the one that uses it.
    if (context.options.blobs !== undefined) return task(context)
    const { everyStore, nothingExamined, onEach } = await import("../sessions/every-store.js")
    const stores = await everyStore(context)
    const own = stores.filter(({ program, sessions }) => isOfAgentsToo || program === undefined || !sessions.agent)
    return own.length === 0 ? nothingExamined(context, own) : onEach(own, task)
  }
}

type SessionTask = (context: CommandContext, ref: string) => Promise<ExitCode>

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
