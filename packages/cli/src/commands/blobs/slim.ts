import { dirname } from "node:path"
import { isDamage } from "@treelog/session-core"
import { inflateSession, slimSession } from "@treelog/session-core/maintenance"
import { plural, sizeText, tallyText } from "@treelog-internal/text"
import type { ChangeCommandOptions } from "../../define/command.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { type CommandContext, Progress } from "../../io/command-context.js"
import { missingBlobsIn } from "../../render/missing-blobs.js"
import { diagnosticLine } from "../../render/result-lines.js"
import { type Fact, factLines } from "../../render/table.js"
import { findSession } from "../../sessions/find-session.js"
import type { BlobPlace } from "../../store/blob-place.js"
import { blobsOf, isFoundByGc, managerWith, requirePlace, requireWritable } from "../../store/command-sessions.js"

type RewriteReport = Awaited<ReturnType<typeof slimSession>>

/** Moves the images and very long texts of a session to its blobs. */
export async function slim(context: CommandContext, ref: string, options: ChangeCommandOptions): Promise<ExitCode> {
  const { report, place, isFile } = await rewrite(context, ref, options, slimSession)
  const { folder } = place
  if (folder === undefined || !isFile) return EXIT.ok
  // The store does not list this session, so `blobs gc` needs --root to find its references.
  const isAlone = !isFoundByGc(report.path, folder) && dirname(report.path) !== dirname(folder)
  if (report.changed > 0 && isAlone)
    await context.log(`\`blobs gc\` of ${folder} does not know this session: give it --root ${dirname(report.path)}`)
  return EXIT.ok
}

/** Moves everything from blobs back into the lines. */
export async function inflate(context: CommandContext, ref: string, options: ChangeCommandOptions): Promise<ExitCode> {
  const { report, place } = await rewrite(context, ref, options, inflateSession)
  if (!report.diagnostics.some(isDamage)) return EXIT.ok
  await context.log(missingBlobsIn("Some blobs", place.name))
  return EXIT.damaged
}

async function rewrite(
  context: CommandContext,
  ref: string,
  { dryRun = false }: ChangeCommandOptions,
  carryOut: typeof slimSession | typeof inflateSession,
): Promise<{ report: RewriteReport; place: BlobPlace; isFile: boolean }> {
  const { source: sessions, key } = await findSession(context, ref)
  requireWritable(sessions, ref)
  const place = requirePlace(blobsOf(sessions, key), sessions)
  const store = await (dryRun ? place.read() : place.open())
  const work = context.hold(carryOut(await managerWith(sessions, store), key, { dryRun }))
  const report = await new Progress(context).during(work, () => "Rewriting the session")
  await printRewrite(context, report, place.name, dryRun)
  return { report, place, isFile: sessions.files !== undefined }
}

async function printRewrite(
  context: CommandContext,
  report: RewriteReport,
  folder: string,
  dryRun: boolean,
): Promise<void> {
  const { path, before, after, changed, diagnostics } = report
  if (context.options.json) {
    const blobs = { folder, ...tallyOf(report.blobs), hashes: report.blobs.map(({ hash }) => hash) }
    await context.printJson({ path, dryRun, before, after, changed, blobs, diagnostics })
    return
  }
  await context.print(factLines(rewriteFacts(report, folder), context.style))
  await context.print(diagnostics.map((diagnostic) => diagnosticLine(path, diagnostic, context.style)))
  if (changed === 0) await context.log("Nothing to change.")
  else if (dryRun) await context.log("This was a dry run.")
}

/** What moving a session's images out, or back in, amounts to. */
function rewriteFacts({ path, before, after, changed, blobs }: RewriteReport, folder: string): Fact[] {
  const facts: Fact[] = [
    ["session", path],
    ["before", sizeText(before)],
    ["after", changed === 0 ? "the same" : sizeText(after)],
    ["changed", plural(changed, "line")],
  ]
  if (blobs.length > 0) facts.push(["blobs", `${tallyText(tallyOf(blobs))}, in ${folder}`])
  return facts
}

/** How many blobs, and how many bytes they have together. */
function tallyOf(blobs: RewriteReport["blobs"]): { count: number; bytes: number } {
  return { count: blobs.length, bytes: blobs.reduce((sum, { size }) => sum + size, 0) }
}
