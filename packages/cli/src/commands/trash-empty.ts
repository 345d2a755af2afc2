import { dirname } from "node:path"
import type { FileTrash } from "@treelog/storage-fs"
import { cleanLine, plural, sizeText } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import { type BackupItem, Trashes, type TrashItem } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { folderSize } from "../stats/disk-use.js"

interface EmptyOptions {
  /** In the trash for so long. Milliseconds. */
  readonly olderThan?: number
  readonly apply?: boolean
}

/** Deletes what is in the trash, and the backups of repairs and migrations, or lists them. */
export async function emptyTrash(
  context: CommandContext,
  { olderThan = 0, apply = false }: EmptyOptions,
): Promise<ExitCode> {
  const { io, options } = context
  const trashes = await Trashes.of(context)
  const [trashed, backups] = [await trashes.list(), await trashes.backups()]
  const progress = new Progress(context)
  const outcomes = new Outcomes(context, progress)
  const batches = new Map<FileTrash, FileTrash>()
  let [bytes, removedBackups] = [0, 0]
  for (const failure of [...trashed.failures, ...backups.failures]) await outcomes.fail(failure)
  const items: readonly (TrashItem & Partial<BackupItem>)[] = [...trashed.items, ...backups.items]
  for (const { path, from, deleted, trash, size: backupSize } of items) {
    io.interrupted.throwIfAborted()
    if (context.startedAt - deleted < olderThan) continue
    const isBackup = backupSize !== undefined
    const size = backupSize ?? (await folderSize(dirname(path)))
    const outcome = await outcomes.of(path, async () => {
      if (!apply) return
      const batch = batches.get(trash) ?? trash.batch()
      batches.set(trash, batch)
      await context.hold(isBackup ? batch.removeBackup(path) : batch.remove(path))
    })
    if (!outcome) continue
    bytes += size
    if (isBackup) removedBackups += 1
    if (options.json) await context.printJson({ path, from, deleted, size, dryRun: !apply })
    else if (!apply) await context.print([cleanLine(path)])
    await progress.show(`Removed ${plural(outcomes.done, "session")}`)
  }
  await progress.clear()
  await context.log(sentence(outcomes, { bytes, backups: removedBackups }, apply))
  return outcomes.exitCode()
}

function sentence(
  { done, failureText }: Outcomes,
  { bytes, backups }: { bytes: number; backups: number },
  apply: boolean,
): string {
  const tail = failureText === "" ? "." : `, ${failureText}.`
  if (done === 0) return `Nothing to remove${tail}`
  const what = [done - backups > 0 && plural(done - backups, "session"), backups > 0 && plural(backups, "backup")]
  const went = `${what.filter(Boolean).join(" and ")}, ${sizeText(bytes)}, ${apply ? "removed" : "to remove"} for good${tail}`
  return apply ? went : `${went} This was a dry run; --apply removes ${done === 1 ? "it" : "them"}.`
}
