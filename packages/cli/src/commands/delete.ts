import { resolve } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { ChangeCommandOptions } from "../change-options.js"
import type { CommandContext } from "../command-context.js"
import { composeSessions, type Sessions } from "../compose.js"
import { moveToTrash } from "../delete-session.js"
import type { ExitCode } from "../exit-codes.js"
import { busyError } from "../housekeeping/busy-error.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import { wayBack } from "../housekeeping/way-back.js"
import { existingKey } from "../open-session.js"
import { cleanLine } from "../render/clean-text.js"
import { failureLine } from "../render/failure-line.js"
import { plural } from "../render/plural.js"

/** Moves sessions to the trash, and prints where each was. What cannot be found stops it before it begins; what is held does not. */
export async function deleteSessions(
  context: CommandContext,
  refs: readonly string[],
  { dryRun = false }: ChangeCommandOptions,
): Promise<ExitCode> {
  const { options, io, style } = context
  const sessions = composeSessions(context)
  const outcomes = new Outcomes(context)
  const gone: string[] = []
  const trash = sessions.storage.trash.batch()
  for (const key of await keysOf(sessions, refs)) {
    io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(key, () => (dryRun ? look(sessions, key) : moveToTrash(context, trash, key)))
    if ("error" in outcome) {
      if (options.json) await context.printJson(outcome)
      else await context.print([failureLine(outcome, style)])
      continue
    }
    if (outcome.result !== null) gone.push(outcome.result)
    if (options.json) await context.printJson({ path: key, dryRun, trash: outcome.result })
    else await context.print([cleanLine(key)])
  }
  await context.say(sentence(outcomes, dryRun))
  if (gone.length > 0) await context.say(wayBack(context, sessions, gone))
  return outcomes.exitCode()
}

/** Each once, and all before the first one goes: then `@-2` is another one. */
async function keysOf(sessions: Sessions, refs: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const ref of refs) keys.add(resolve(await existingKey(sessions, ref)))
  return keys
}

/** Whether it could go. Writes nothing. */
async function look({ storage }: Sessions, key: string): Promise<null> {
  const holder = await storage.holderOf(key)
  if (holder) throw busyError(key, holder)
  if (await storage.stat(key)) return null
  throw new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref: key })
}

function sentence({ done, troubles }: Outcomes, dryRun: boolean): string {
  const went = dryRun
    ? `${plural(done, "session")} to go to the trash`
    : `${plural(done, "session")} moved to the trash`
  return `${troubles === "" ? went : `${went}, ${troubles}`}.${dryRun ? " This was a dry run." : ""}`
}
