import { TreelogError } from "@treelog/session-core"
import { batchName } from "@treelog/storage-fs"
import { cleanLine, plural } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import { storeWithTrash, type TrashFound, trashedStorage, trashOf } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { resolveSession } from "../sessions/resolve-session.js"
import { cwdIn } from "../sessions/scope.js"
import { printFailure } from "../sessions/stored-keys.js"
import { listTrash } from "./trash-ls.js"

export interface RestoreOptions {
  /** Only show what there is. */
  readonly list?: boolean
  /** What was deleted last, in one command. */
  readonly last?: boolean
}

/** Restores sessions from the trash, and prints their paths. One that fails stops no other. */
export async function restore(
  context: CommandContext,
  refs: readonly string[],
  { list = false, last = false }: RestoreOptions,
): Promise<ExitCode> {
  if ([refs.length > 0, list, last].filter(Boolean).length !== 1)
    throw new UsageError("Name sessions in the trash, or use --last; `treelog trash ls` shows them.")
  if (list) return listTrash(context)
  const { trash } = (await storeWithTrash(context)).storage
  const outcomes = new Outcomes(context)
  for (const path of await pathsOf(context, refs, last)) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(path, () => context.hold(trash.restore(path)))
    if ("error" in outcome) await printFailure(context, outcome)
    else if (context.options.json) await context.printJson({ path: outcome.result, trash: path })
    else await context.print([cleanLine(outcome.result)])
  }
  const { done, failureText } = outcomes
  await context.log(`${[`${plural(done, "session")} restored`, failureText].filter(Boolean).join(", ")}.`)
  return outcomes.exitCode()
}

/** Each once. A time, as `treelog trash ls` prints it, means all that was deleted with it. */
async function pathsOf(context: CommandContext, refs: readonly string[], last: boolean): Promise<Set<string>> {
  const trash = await trashOf(context)
  if (last) return new Set(lastOf(trash))
  const storage = await trashedStorage(context)
  const scope = context.options.all ? {} : { cwd: cwdIn(context) }
  const paths = new Set<string>()
  for (const ref of refs) {
    const batch = trash.items.filter(({ deleted }) => batchName(deleted) === ref)
    for (const { path } of batch) paths.add(path)
    if (batch.length === 0) paths.add(await resolveSession(storage, ref, scope))
  }
  return paths
}

function lastOf({ items }: TrashFound): string[] {
  const [newest] = items
  if (!newest) throw new TreelogError("SessionNotFoundError", "There is nothing in the trash.", { ref: "" })
  return items.flatMap(({ path, deleted }) => (deleted === newest.deleted ? path : []))
}
