import { dirname } from "node:path"
import type { FileTrash } from "@treelog/storage-fs"
import { cleanLine, plural, sizeText } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import { Trashes } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { type Failure, printFailure } from "../sessions/stored-keys.js"
import { folderSize } from "../stats/disk-tally.js"

export interface EmptyOptions {
  /** In the trash for so long. Milliseconds. */
  readonly olderThan?: number
  readonly apply?: boolean
}

/** Deletes what is in the trash, or lists it. */
export async function emptyTrash(
  context: CommandContext,
  { olderThan = 0, apply = false }: EmptyOptions,
): Promise<ExitCode> {
  const { io, options } = context
  const { items, failures } = await (await Trashes.of(context)).list()
  const outcomes = new Outcomes(context)
  const batches = new Map<FileTrash, FileTrash>()
  const progress = new Progress(context)
  let bytes = 0
  const printFailed = async (failure: Failure): Promise<void> => {
    await progress.clear()
    await printFailure(context, failure)
  }
  for (const failure of failures) {
    outcomes.note(failure.error.code)
    await printFailed(failure)
  }
  for (const { path, from, deleted, trash } of items) {
    io.interrupted.throwIfAborted()
    if (context.startedAt - deleted < olderThan) continue
    const size = await folderSize(dirname(path))
    const outcome = await outcomes.of(path, async () => {
      if (!apply) return
      const batch = batches.get(trash) ?? trash.batch()
      batches.set(trash, batch)
      await context.hold(batch.remove(path))
    })
    if ("error" in outcome) {
      await printFailed(outcome)
      continue
    }
    bytes += size
    if (options.json) await context.printJson({ path, from, deleted, size, dryRun: !apply })
    else if (!apply) await context.print([cleanLine(path)])
    await progress.show(`Removed ${plural(outcomes.done, "session")}`)
  }
  await progress.clear()
  await context.log(sentence(outcomes, bytes, apply))
  return outcomes.exitCode()
}

function sentence({ done, failureText }: Outcomes, bytes: number, apply: boolean): string {
  const tail = failureText === "" ? "." : `, ${failureText}.`
  if (done === 0) return `Nothing to remove${tail}`
  const went = `${plural(done, "session")}, ${sizeText(bytes)}, ${apply ? "removed" : "to remove"} for good${tail}`
  return apply ? went : `${went} This was a dry run; --apply removes ${done === 1 ? "it" : "them"}.`
}
