import { CURRENT_VERSION } from "@treelog/session-core"
import { migrateSession } from "@treelog/session-core/maintenance"
import { plural } from "@treelog-internal/text"
import type { ChangeCommandOptions } from "../../define/shared-options.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { changedEntries, diagnosticLine, migrationLine } from "../../render/result-lines.js"
import { findSession } from "../../sessions/find-session.js"
import { nothingExamined, writableSources } from "../../sessions/open-library.js"
import { Outcomes } from "../../sessions/outcomes.js"
import { requireWritable } from "../../store/require-files.js"
import { storedKeys } from "../../store/stored-keys.js"

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
  const { source, key } = await findSession(context, ref)
  const { sessions } = source
  requireWritable(sessions, ref)
  const work = context.hold(migrateSession(await sessions.manager(), key, { dryRun }))
  const migration = await new Progress(context).during(work, () => "Migrating the session")
  await printMigration(context, migration, dryRun)
  if (!migration.report) await context.log(`The session has version ${CURRENT_VERSION} already.`)
  else if (dryRun) await context.log("This was a dry run.")
  return EXIT.ok
}

async function migrateAll(context: CommandContext, dryRun: boolean): Promise<ExitCode> {
  const progress = new Progress(context)
  const outcomes = new Outcomes(context, progress)
  let migrated = 0
  if (!dryRun) context.finishUnread()
  const stores = await writableSources(context)
  for (const { sessions } of stores) {
    const { storage } = sessions
    const manager = await sessions.manager()
    for await (const found of storedKeys(sessions, context)) {
      const outcome =
        "error" in found
          ? await outcomes.fail(found)
          : await outcomes.of(
              found.key,
              async () =>
                // Undefined when the session was removed meanwhile.
                (await storage.stat(found.key)) && context.hold(migrateSession(manager, found.key, { dryRun })),
            )
      const migration = outcome?.result
      if (migration?.report) migrated += 1
      if (context.options.json || migration?.report) await progress.clear()
      if (migration) await printMigration(context, migration, dryRun)
      await progress.show(`Scanned ${plural(outcomes.count, "session")}, ${migrated} migrated`)
    }
  }
  await progress.clear()
  if (outcomes.count === 0) return nothingExamined(context, stores)
  const did = `${plural(outcomes.count, "session")}: ${migrated} ${dryRun ? "to migrate" : "migrated"}`
  await context.log(`${[did, outcomes.failureText].filter(Boolean).join(", ")}.${dryRun ? " This was a dry run." : ""}`)
  return outcomes.exitCode()
}

async function printMigration(
  context: CommandContext,
  migration: Awaited<ReturnType<typeof migrateSession>>,
  dryRun: boolean,
): Promise<void> {
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
