import { CURRENT_VERSION, isDamage, type SessionManager, TreelogError } from "@treelog/session-core"
import { migrateSession, repairSession, verifySession } from "@treelog/session-core/maintenance"
import { FILE_MODE, nodeFs, writeWhole } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import { type ChangeCommandOptions, type CommandDefinition, DRY_RUN, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { changedEntries, changeLine, diagnosticLine, migrationLine } from "../render/result-lines.js"
import { findSession } from "../sessions/find-session.js"
import { nothingExamined, writableSources } from "../sessions/open-library.js"
import { Outcomes } from "../sessions/outcomes.js"
import { ownManager, readOnlyManager, requireWritable } from "../store/command-sessions.js"
import { storedKeys } from "../store/stored-keys.js"

type Verification = Awaited<ReturnType<typeof verifySession>>

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "repair a damaged session, or migrate an old one",
  description:
    "Repair a damaged session; with --migrate, bring it to the current version. Keeps a backup beside it, until `treelog trash empty`. No message is dropped.",
  examples: [
    ["treelog repair session.jsonl --dry-run", "show what would change"],
    ["treelog repair session.jsonl", "repair it, and keep a backup"],
    ["treelog repair --migrate --all --dry-run", "which are of an old version"],
  ],
  arguments: [["[session]", `${SESSION}; with --migrate, --all means every session`]],
  options: [
    ["--migrate", "bring the session to the current version of the format instead"],
    ["-n, --dry-run", DRY_RUN],
  ],
  run: (context, session: string | undefined, options: RepairOptions) =>
    (options.migrate ? migrate : repair)(context, session, options),
}

interface RepairOptions extends ChangeCommandOptions {
  readonly migrate?: boolean
}

type RepairReport = Awaited<ReturnType<typeof repairSession>>

/** Repairs a session, prints the changes and the faults that remain, and keeps a backup and the list of changes beside it. */
export async function repair(
  context: CommandContext,
  ref: string | undefined,
  { dryRun = false }: ChangeCommandOptions,
): Promise<ExitCode> {
  if (ref === undefined)
    throw new UsageError("Name a session to repair; `treelog verify --all` finds those with damage.")
  const { source: sessions, key } = await findSession(context, ref)
  requireWritable(sessions, ref)
  const manager = await readOnlyManager(sessions, key)
  if (sessions.files) await refuseStranger(manager, key)
  const repaired = async (): Promise<{ report: RepairReport; changesFile: string | undefined }> => {
    const report = await repairSession(manager, key, { dryRun })
    const { backup } = report
    const isFile = sessions.files !== undefined && backup !== undefined
    return { report, changesFile: isFile ? await writeChanges({ ...report, backup }) : undefined }
  }
  const { report, changesFile } = await new Progress(context).during(
    context.hold(repaired()),
    () => "Repairing the session",
  )
  const { path, changes, backup } = report
  if (context.options.json) {
    const after = await afterwards(manager, report, dryRun)
    const kept = { backup: backup ?? null, changesFile: changesFile ?? null }
    await context.printJson({ path, dryRun, changes, ...kept, after })
    return after.ok ? EXIT.ok : EXIT.damaged
  }
  await context.print(changes.map((change) => changeLine(path, change, context.style)))
  if (backup !== undefined) await context.log(`Backup: ${backup}`)
  if (changesFile !== undefined) await context.log(`Changes: ${changesFile}`)
  const after = await afterwards(manager, report, dryRun)
  const left = after.diagnostics.filter(isDamage)
  await context.print(left.map((diagnostic) => diagnosticLine(path, diagnostic, context.style)))
  await context.log(sentence(changes.length, left.length, dryRun))
  return after.ok ? EXIT.ok : EXIT.damaged
}

/** After a dry run, the library predicts the lines and checks no blob; a stored session is verified as a whole. */
async function afterwards(manager: SessionManager, report: RepairReport, dryRun: boolean): Promise<Verification> {
  return dryRun && report.changes.length > 0 ? report.after : verifySession(manager, report.path)
}

/** Every file can be made a session, line by line. Where neither its name nor its beginning is that of a session, the path is probably a mistake. */
async function refuseStranger(manager: SessionManager, key: string): Promise<void> {
  if (key.endsWith(".jsonl")) return
  const { changes } = await repairSession(manager, key, { dryRun: true })
  if (!changes.some(({ kind }) => kind === "missing-header")) return
  throw new UsageError(
    `${key} has no header, and is not named as sessions are: to repair it all the same, name it *.jsonl.`,
  )
}

function sentence(changes: number, left: number, dryRun: boolean): string {
  const state = left === 0 ? "no damage" : `${plural(left, "fault")} ${left === 1 ? "is" : "are"} left`
  if (changes === 0) return `Nothing to repair: ${state}.`
  const made = plural(changes, "change")
  return dryRun ? `${made} to make; then ${state}, blobs aside. This was a dry run.` : `${made} made: ${state}.`
}

/** Writes the list of changes beside the backup that a repair left, and returns its path. @throws StorageError */
async function writeChanges({ path, backup, changes }: RepairReport & { backup: string }): Promise<string> {
  const text = `${JSON.stringify({ v: 1, path, backup, changes }, null, 2)}\n`
  for (let number = 1; ; number++) {
    const name = `${backup}.changes${number === 1 ? "" : `.${number}`}.json`
    try {
      await writeNew(name, text)
      return name
    } catch (cause) {
      const errno = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
      if (errno === undefined) throw cause
      if (errno === "EEXIST") continue
      const message = `The session was repaired, with a backup in ${backup}. The list of changes could not be written to ${name}: ${errno}.`
      throw new TreelogError("StorageError", message, { key: name, operation: "write", errno }, { cause })
    }
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await nodeFs.open(path, "wx", FILE_MODE)
  try {
    await writeWhole(file, Buffer.from(text), null)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Brings one session to the current version, or with `--all` and no session every one of the store. */
async function migrate(
  context: CommandContext,
  ref: string | undefined,
  { dryRun = false }: ChangeCommandOptions,
): Promise<ExitCode> {
  if (ref === undefined) {
    if (context.options.all !== true) throw new UsageError("Name a session, or give --all for every session.")
    return migrateAll(context, dryRun)
  }
  const { source: sessions, key } = await findSession(context, ref)
  requireWritable(sessions, ref)
  const work = context.hold(migrateSession(await ownManager(sessions), key, { dryRun }))
  const migration = await new Progress(context).during(work, () => "Migrating the session")
  await printMigration(context, migration, dryRun)
  if (!migration.report) await context.log(`The session has version ${CURRENT_VERSION} already.`)
  else if (dryRun) await context.log("This was a dry run.")
  return EXIT.ok
}

async function migrateAll(context: CommandContext, dryRun: boolean): Promise<ExitCode> {
  const progress = new Progress(context)
  const outcomes = new Outcomes(context)
  let migrated = 0
  if (!dryRun) context.finishUnread()
  const stores = await writableSources(context)
  for (const sessions of stores) {
    const { storage } = sessions
    const manager = await ownManager(sessions)
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
      if (migration) await printMigration(context, migration, dryRun)
      await progress.show(`Scanned ${plural(outcomes.count, "session")}, ${migrated} migrated`)
    }
  }
  if (outcomes.count === 0) return nothingExamined(context, stores)
  const did = outcomes.sentence(
    `${plural(outcomes.count, "session")}: ${migrated} ${dryRun ? "to migrate" : "migrated"}`,
  )
  await context.log(dryRun ? `${did} This was a dry run.` : did)
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
