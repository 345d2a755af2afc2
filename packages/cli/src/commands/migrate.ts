import { CURRENT_VERSION } from "@treelog/session-core"
import { migrateSession, type StoredMigration } from "@treelog/session-core/maintenance"
import { plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import type { ChangeCommandOptions } from "../program/options.js"
import { changedEntries, diagnosticLine, migrationLine } from "../render/result-lines.js"
import { commandSessions, type Sessions } from "../sessions/command-sessions.js"
import { everyWritableStore, nothingExamined } from "../sessions/every-store.js"
import { existingKey } from "../sessions/open-to-read-or-write.js"
import { requireWritable } from "../sessions/read-only.js"
import { type Failure, ofSession, printFailure, storedKeys } from "../sessions/stored-keys.js"

/** Brings one session to the current version, or with `--all` and no session every one of the store. */
export async function migrate(
  context: CommandContext,
  ref: string | undefined,
  { dryRun = false }: ChangeCommandOptions,
): Promise<ExitCode> {
  if (ref === undefined) {
    if (context.options.all !== true) throw new UsageError("Name a session, or give --all for every session.")
    return migrateAll(context, dryRun)
  }
  const sessions = await commandSessions(context)
  requireWritable(sessions)
  const key = await existingKey(sessions, ref)
  const work = context.hold(migrateSession(sessions.manager, key, { dryRun }))
  const migration = await new Progress(context).during(work, () => "Migrating the session")
  await printMigration(context, migration, dryRun)
  if (!migration.report) await context.log(`The session has version ${CURRENT_VERSION} already.`)
  else if (dryRun) await context.log("This was a dry run.")
  return EXIT.ok
}

async function migrateAll(context: CommandContext, dryRun: boolean): Promise<ExitCode> {
  const tally = new Tally()
  const progress = new Progress(context)
  if (!dryRun) context.finishUnread()
  const stores = await everyWritableStore(context)
  for (const { sessions } of stores)
    for await (const found of storedKeys(sessions, context)) {
      const outcome = "error" in found ? found : await attempt(context, sessions, found.key, dryRun)
      if (!outcome) continue
      tally.add(outcome)
      if (context.options.json || "error" in outcome || outcome.report) await progress.clear()
      if ("error" in outcome) await printFailure(context, outcome)
      else await printMigration(context, outcome, dryRun)
      await progress.show(`Scanned ${plural(tally.sessions, "session")}, ${tally.migrated} migrated`)
    }
  await progress.clear()
  if (tally.sessions === 0) return nothingExamined(context, stores)
  await context.log(tally.sentence(dryRun))
  return tally.exitCode()
}

/** Undefined when the session was removed meanwhile. */
async function attempt(
  context: CommandContext,
  { storage, manager }: Sessions,
  key: string,
  dryRun: boolean,
): Promise<StoredMigration | Failure | undefined> {
  return ofSession(
    context,
    key,
    async () => (await storage.stat(key)) && (await context.hold(migrateSession(manager, key, { dryRun }))),
  )
}

async function printMigration(context: CommandContext, migration: StoredMigration, dryRun: boolean): Promise<void> {
  const { path, report, backup } = migration
  if (context.options.json) {
    await context.printJson({
      path,
      dryRun,
      from: report?.from ?? CURRENT_VERSION,
      to: CURRENT_VERSION,
      changed: changedEntries(report),
      backup: backup ?? null,
      diagnostics: report?.diagnostics ?? [],
    })
  } else if (report) {
    const notes = report.diagnostics.map((diagnostic) => diagnosticLine(path, diagnostic, context.style))
    await context.print([migrationLine(path, { report, backup }, context.style), ...notes])
  }
}

class Tally {
  sessions = 0
  migrated = 0
  #locked = 0
  #failed = 0

  add(outcome: StoredMigration | Failure): void {
    this.sessions += 1
    if (!("error" in outcome)) this.migrated += outcome.report ? 1 : 0
    else if (outcome.error.code === "SessionBusyError") this.#locked += 1
    else this.#failed += 1
  }

  sentence(dryRun: boolean): string {
    const parts = [
      `${plural(this.sessions, "session")}: ${this.migrated} ${dryRun ? "to migrate" : "migrated"}`,
      this.#locked > 0 ? `${this.#locked} locked` : "",
      this.#failed > 0 ? `${this.#failed} failed` : "",
    ].filter(Boolean)
    return `${parts.join(", ")}.${dryRun ? " This was a dry run." : ""}`
  }

  exitCode(): ExitCode {
    if (this.#failed > 0) return EXIT.failed
    return this.#locked > 0 ? EXIT.locked : EXIT.ok
  }
}
