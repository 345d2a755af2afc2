import { isDamage, type RepairReport, type SessionManager } from "@treelog/session-core"
import type { ChangeCommandOptions } from "../change-options.js"
import type { CommandContext } from "../command-context.js"
import { composeSessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { existingKey } from "../open-session.js"
import { plural } from "../render/plural.js"
import { repairLines } from "../render/repair-lines.js"
import { readingManager } from "../session-blobs.js"
import { UsageError } from "../usage-error.js"
import { writeChanges } from "../write-changes.js"

/** Mends a session, prints what was changed, and keeps the session as it was and the list of changes beside it. */
export async function repair(
  context: CommandContext,
  ref: string,
  { dryRun = false }: ChangeCommandOptions,
): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const key = await existingKey(sessions, ref)
  const manager = await readingManager(sessions, key)
  await refuseStranger(manager, key)
  const repaired = async (): Promise<{ report: RepairReport; changesFile: string | undefined }> => {
    const report = await manager.repair(key, { dryRun })
    const { backup } = report
    return { report, changesFile: backup === undefined ? undefined : await writeChanges({ ...report, backup }) }
  }
  const { report, changesFile } = await context.hold(repaired())
  const { path, changes, backup, after } = report
  if (context.options.json) {
    await context.printJson({
      path,
      dryRun,
      changes,
      backup: backup ?? null,
      changesFile: changesFile ?? null,
      after,
    })
  } else {
    await context.print(repairLines(report, context.style))
    await context.say(sentence(report, dryRun))
    if (backup !== undefined) await context.say(`As it was: ${backup}`)
    if (changesFile !== undefined) await context.say(`What was changed: ${changesFile}`)
  }
  return after.ok ? EXIT.ok : EXIT.damaged
}

/** Every file can be made a session, line by line. Where neither its name nor its beginning is a session's, that is a slip of the pen. */
async function refuseStranger(manager: SessionManager, key: string): Promise<void> {
  if (key.endsWith(".jsonl")) return
  const { changes } = await manager.repair(key, { dryRun: true })
  if (!changes.some(({ kind }) => kind === "missing-header")) return
  throw new UsageError(
    `${key} has no header, and is not named as sessions are: to repair it all the same, name it *.jsonl.`,
  )
}

function sentence({ changes, after }: RepairReport, dryRun: boolean): string {
  const left = after.diagnostics.filter(isDamage).length
  const isLeft = left === 0 ? "nothing is broken" : `${plural(left, "fault")} ${left === 1 ? "is" : "are"} left`
  if (changes.length === 0) return `Nothing to mend: ${isLeft}.`
  return dryRun
    ? `${plural(changes.length, "change")} to make; then ${isLeft}. This was a dry run.`
    : `${plural(changes.length, "change")} made: ${isLeft}.`
}
