import { join } from "node:path"
import { type SweepProgress, type SweepReport, sweep, undoSweep } from "@treelog/blob-store"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { absoluteFolder, isFolder } from "@treelog-internal/fs"
import { cleanLine, plural, tallyText } from "@treelog-internal/text"
import { EXIT, type ExitCode, UsageError } from "../../errors/exit-codes.js"
import { type CommandContext, Progress } from "../../io/command-context.js"
import { type Fact, factLines } from "../../render/table.js"
import { requireFiles, requireFolder, requirePlace, type Sessions, storedBlobs } from "../../store/command-sessions.js"

interface GcOptions {
  readonly apply?: boolean
  /** Milliseconds. */
  readonly grace?: number
  readonly root?: readonly string[]
  readonly allowUnparsable?: boolean
  readonly undo?: boolean
}

/** Removes the blobs that no session references, or lists them; or restores what the last run removed. */
export async function collectBlobs(context: CommandContext, sessions: Sessions, options: GcOptions): Promise<ExitCode> {
  requireFiles(
    sessions,
    "`blobs gc`",
    "sessions of other machines may refer to the same blobs; see `sweep` of @treelog/blob-store-s3",
  )
  const place = requirePlace(storedBlobs(sessions), sessions)
  const folder = requireFolder(place, "other stores may use the same bucket; see `sweep` of @treelog/blob-store-s3")
  if (options.undo) return undo(context, folder, options)
  const roots = await rootsOf(context, folder, options.root ?? [])
  const report = await swept(context, folder, roots, options)
  if (context.options.json) await context.printJson({ folder, roots, ...report, trash: report.trash ?? null })
  else {
    await context.print(factLines(sweepFacts(report, folder, roots), context.style))
    await context.log(nextStep(report))
  }
  return EXIT.ok
}

async function undo(context: CommandContext, folder: string, options: GcOptions): Promise<ExitCode> {
  if (Object.keys(options).length > 1) throw new UsageError("--undo cannot be combined with other options of gc.")
  const restored = await new Progress(context).during(context.hold(undoSweep(folder)), () => "Restoring blobs")
  if (context.options.json) await context.printJson({ folder, restored })
  else if (restored.count === 0) await context.log(`There is nothing in the trash of ${folder}.`)
  else await context.print([`${tallyText(restored)} restored`])
  return EXIT.ok
}

/** Folders and single files whose references count: the sessions beside the blobs, those that options name, and what `--root` adds. */
async function rootsOf({ io, options }: CommandContext, folder: string, more: readonly string[]): Promise<string[]> {
  const own = join(folder, "..", "sessions")
  const given = [...(options.sessionDir === undefined ? [] : [options.sessionDir]), ...more].map((root) =>
    absoluteFolder(io, root),
  )
  // Without blobs there is nothing to protect; with them, sessions that cannot be found are a reason to stop.
  if (!(await isFolder(folder))) return []
  return given.length > 0 && !(await isFolder(own)) ? given : [own, ...given]
}

function swept(
  context: CommandContext,
  blobs: string,
  roots: readonly string[],
  { apply = false, grace, allowUnparsable = false }: GcOptions,
): Promise<SweepReport> {
  const { io } = context
  let at: SweepProgress | undefined
  const sweeping = sweep({
    blobs,
    roots: roots.filter((root) => !root.endsWith(".jsonl")),
    files: roots.filter((root) => root.endsWith(".jsonl")),
    apply,
    allowUnparsable,
    ...(grace !== undefined && { graceMs: grace }),
    clock: io,
    signal: io.interrupted,
    onProgress: (progress) => {
      at = progress
    },
  })
  const sweepingOrAdvice = sweeping.catch((error: unknown) => {
    if (!isTreelogError(error, "InvalidSessionError")) throw error
    const message = `${error.message} \`treelog repair\` can repair it; --allow-unparsable continues, and keeps every blob whose hash is found in it.`
    throw new TreelogError(error.code, message, error.data, { cause: error })
  })
  return new Progress(context).during(context.hold(sweepingOrAdvice), () => progressText(at))
}

function progressText(at: SweepProgress | undefined): string {
  if (!at) return "Looking for sessions"
  return at.phase === "mark" ? `Read ${tallyText(at.done, "file")}` : `Removed ${plural(at.done.count, "blob")}`
}

function nextStep({ applied, swept, temporary }: SweepReport): string {
  if (swept.count + temporary.count === 0) return "Nothing to delete."
  if (!applied) return "This was a dry run; --apply moves them to the trash."
  return "`treelog blobs gc --undo` restores them, until the next --apply."
}

/** What a sweep did, or would do. */
function sweepFacts(report: SweepReport, folder: string, roots: readonly string[]): Fact[] {
  const { applied, scanned, kept, withinGrace, swept, temporary, emptied, restored, trash, unparsable } = report
  const facts: Fact[] = [
    ["blobs", folder],
    ...roots.map((root): Fact => ["sessions", root]),
    ["scanned", tallyText(scanned, "file")],
    ["referenced", tallyText(kept)],
    [applied ? "in the trash" : "would free", tallyText(swept)],
  ]
  const more: [string, { count: number; bytes: number }, string][] = [
    ["too young", withinGrace, "blob"],
    ["unfinished", temporary, "file"],
    ["restored", restored, "blob"],
    ["freed", emptied, "blob"],
  ]
  for (const [name, tally, what] of more) if (tally.count > 0) facts.push([name, tallyText(tally, what)])
  if (trash !== undefined) facts.push(["trash", trash])
  for (const { path, message } of unparsable) facts.push(["unreadable", cleanLine(`${path}: ${message}`)])
  return facts
}
