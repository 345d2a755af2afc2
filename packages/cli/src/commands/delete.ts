import { resolve } from "node:path"
import { noSessionAt } from "@treelog/session-core/adapter"
import { cleanLine, plural } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { type Disposal, disposal, restoreHint } from "../housekeeping/move-to-trash.js"
import { busyError, Outcomes } from "../housekeeping/outcomes.js"
import type { CommandContext } from "../io/command-context.js"
import type { ChangeCommandOptions } from "../program/options.js"
import { commandSessions, type Sessions } from "../sessions/command-sessions.js"
import { existingKey } from "../sessions/open-to-read-or-write.js"
import { printFailure } from "../sessions/stored-keys.js"

export interface DeleteCommandOptions extends ChangeCommandOptions {
  /** For good, not to the trash. */
  readonly permanent?: boolean
}

/** Moves sessions to the trash, or deletes them for good, and prints where each was. What cannot be found stops it before it begins; what is held does not. */
export async function deleteSessions(
  context: CommandContext,
  refs: readonly string[],
  { dryRun = false, permanent = false }: DeleteCommandOptions,
): Promise<ExitCode> {
  const { options, io } = context
  const sessions = await commandSessions(context)
  const outcomes = new Outcomes(context)
  const gone: string[] = []
  const trash: Disposal = disposal(context, sessions, permanent)
  for (const key of await keysOf(sessions, refs)) {
    io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(key, () => (dryRun ? look(sessions, key) : trash.remove(key)))
    if ("error" in outcome) {
      await printFailure(context, outcome)
      continue
    }
    if (outcome.result !== null) gone.push(outcome.result)
    if (options.json) await context.printJson({ path: key, dryRun, trash: outcome.result })
    else await context.print([cleanLine(key)])
  }
  await context.log(sentence(outcomes, { dryRun, permanent }))
  if (gone.length > 0) await context.log(restoreHint(context, sessions, gone))
  return outcomes.exitCode()
}

/** Each once, and all before the first deletion, which changes the meaning of `@-2`. */
async function keysOf(sessions: Sessions, refs: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const ref of refs) keys.add(await keyOf(sessions, ref))
  return keys
}

/** A path in its one form: `a/../b.jsonl` is `b.jsonl`. */
async function keyOf(sessions: Sessions, ref: string): Promise<string> {
  const key = await existingKey(sessions, ref)
  return sessions.files ? resolve(key) : key
}

/** Whether it could go. Writes nothing. */
async function look({ storage, files }: Sessions, key: string): Promise<null> {
  const holder = await files?.storage.holderOf(key)
  if (holder) throw busyError(key, holder)
  if (await storage.stat(key)) return null
  throw noSessionAt(key)
}

function sentence(
  { done, failureText }: Outcomes,
  { dryRun, permanent }: { dryRun: boolean; permanent: boolean },
): string {
  const [would, did] = permanent
    ? ["would be deleted for good", "deleted for good"]
    : ["would move to the trash", "moved to the trash"]
  const went = `${plural(done, "session")} ${dryRun ? would : did}`
  return `${failureText === "" ? went : `${went}, ${failureText}`}.${dryRun ? " This was a dry run." : ""}`
}
