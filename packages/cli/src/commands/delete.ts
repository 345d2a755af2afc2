import { resolve } from "node:path"
import { noSessionAt } from "@treelog/session-core/adapter"
import { WRITERS } from "@treelog/stores"
import { cleanLine, plural } from "@treelog-internal/text"
import {
  type ChangeCommandOptions,
  type CommandDefinition,
  DRY_RUN,
  durationOption,
  positiveInteger,
  SESSION,
  SINCE_SESSION,
  sizeOption,
  UNTIL_SESSION,
} from "../define/command.js"
import { type ExitCode, flagOf, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findSession } from "../sessions/find-session.js"
import { removal, removeCopy, restoreHint } from "../sessions/move-to-trash.js"
import type { CommandSource } from "../sessions/open-library.js"
import { Outcomes, requireFree } from "../sessions/outcomes.js"
import { requireWritable, type Sessions } from "../store/command-sessions.js"
import { type PruneCommandOptions, prune, wentWhere } from "./delete/prune.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "move sessions to the trash: named ones, old or empty ones",
  description:
    "Move sessions to the trash, with their artifacts and backups: those that are named; or those that match every option, which are listed, and moved with --apply.",
  examples: [
    ["treelog delete 01a1ffe2", "one session, by the start of its id"],
    ["treelog delete @last @-2", "the two newest of this folder"],
    ["treelog delete --older-than 90d", "list what would go"],
    ["treelog delete --all --empty --apply", "sessions without a message"],
    ["treelog delete --all --max-size 2gb", "the oldest, down to a size"],
    ["treelog trash restore --last", "restore them"],
  ],
  arguments: [["[session...]", SESSION]],
  options: [
    [
      "--older-than <duration>",
      "without a message for this long: 90s, 12h, 30d, 8w (default: 1h)",
      { parse: durationOption },
    ],
    ["--since <time>", SINCE_SESSION],
    ["--until <time>", UNTIL_SESSION],
    ["--keep-last <count>", "keep this many of each project, the newest", { parse: positiveInteger }],
    [
      "--max-size <size>",
      "the oldest, until the rest is no larger: 500mb, 2gb, or 2gib in units of 1,024",
      { parse: sizeOption },
    ],
    ["--empty", "sessions without a message"],
    ["--project <folder>", "sessions of this folder"],
    ["--include-named", "also sessions that have a name"],
    ["--include-labelled", "also sessions with a labelled entry"],
    ["--apply", "with these options: move them to the trash"],
    ["--permanent", "delete for good, not to the trash; databases have none"],
    ["-n, --dry-run", DRY_RUN],
  ],
  run: deleteSessions,
}

/**
 * Moves sessions to the trash, or deletes them for good, and prints where each was. What cannot be found stops it before it begins; what
 * is held does not. Without a name, those that the options choose.
 */
export async function deleteSessions(
  context: CommandContext,
  refs: readonly string[],
  { dryRun = false, ...own }: PruneCommandOptions & ChangeCommandOptions,
): Promise<ExitCode> {
  if (refs.length === 0) return prune(context, { ...own, ...(dryRun && { apply: false }) })
  const { permanent = false, ...filters } = own
  const [filter] = Object.keys(filters)
  if (filter !== undefined)
    throw new UsageError(`Name sessions, or choose them with options; ${flagOf(filter)} chooses.`)
  const { io } = context
  if (!dryRun) context.finishUnread()
  const outcomes = new Outcomes(context)
  const hints: string[] = []
  for (const { source, keys } of await keysOf(context, refs)) {
    const remove = removal(context, source, permanent)
    const gone: string[] = []
    for (const key of keys) {
      io.interrupted.throwIfAborted()
      const outcome = await outcomes.of(key, () => (dryRun ? look(source, key) : remove(key)))
      if (!outcome) continue
      if (outcome.result !== null) gone.push(outcome.result)
      await context.report({ path: key, dryRun, trash: outcome.result }, [cleanLine(key)])
    }
    if (gone.length > 0) hints.push(restoreHint(context, source, gone))
  }
  const went = outcomes.sentence(`${plural(outcomes.done, "session")} ${wentWhere(!dryRun, permanent)}`)
  await context.log(dryRun ? `${went} This was a dry run.` : went)
  for (const hint of hints) await context.log(hint)
  return outcomes.exitCode()
}

/** The sessions by store: each once, and all before the first deletion, which changes the meaning of `@-2`. @throws ReadOnlyStorageError */
async function keysOf(context: CommandContext, refs: readonly string[]) {
  const stores = new Map<string, { readonly source: CommandSource; readonly keys: Set<string> }>()
  for (const ref of refs) {
    const { key, source } = await findSession(context, ref)
    if (WRITERS.has(source.agent ?? "")) await removeCopy(source, key, true)
    else requireWritable(source)
    const known = stores.get(source.address) ?? { source, keys: new Set<string>() }
    // A path in its one form: `a/../b.jsonl` is `b.jsonl`.
    known.keys.add(source.files ? resolve(key) : key)
    stores.set(source.address, known)
  }
  return stores.values()
}

/** Whether it could go. Writes nothing. */
async function look(sessions: Sessions, key: string): Promise<null> {
  if (sessions.agent !== undefined) return removeCopy(sessions, key, true)
  await requireFree(sessions, key)
  if (await sessions.storage.stat(key)) return null
  throw noSessionAt(key)
}
