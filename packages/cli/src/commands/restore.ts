import { TreelogError } from "@treelog/session-core"
import { batchName } from "@treelog/storage-fs"
import { cleanLine, plural } from "@treelog-internal/text"
import type { ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import { Trashes, type TrashItem } from "../housekeeping/trash-view.js"
import type { CommandContext } from "../io/command-context.js"
import { resolveSession } from "../sessions/resolve-session.js"
import { cwdIn } from "../sessions/scope.js"

interface RestoreOptions {
  /** What was deleted last, in one command. */
  readonly last?: boolean
}

/** Restores sessions from the trash, and prints their paths. One that fails stops no other. */
export async function restore(
  context: CommandContext,
  refs: readonly string[],
  { last = false }: RestoreOptions,
): Promise<ExitCode> {
  if (refs.length > 0 === last)
    throw new UsageError("Name sessions in the trash, or use --last; `treelog trash ls` shows them.")
  context.finishUnread()
  const trashes = await Trashes.of(context)
  const { items } = await trashes.list()
  const outcomes = new Outcomes(context)
  for (const { path, trash } of last ? lastOf(items) : await itemsNamed(context, trashes, items, refs)) {
    context.io.interrupted.throwIfAborted()
    const outcome = await outcomes.of(path, () => context.hold(trash.restore(path)))
    if (!outcome) continue
    if (context.options.json) await context.printJson({ path: outcome.result, trash: path })
    else await context.print([cleanLine(outcome.result)])
  }
  const { done, failureText } = outcomes
  await context.log(`${[`${plural(done, "session")} restored`, failureText].filter(Boolean).join(", ")}.`)
  return outcomes.exitCode()
}

/** Each once. A time, as `treelog trash ls` prints it, means all that was deleted with it. */
async function itemsNamed(
  context: CommandContext,
  trashes: Trashes,
  items: readonly TrashItem[],
  refs: readonly string[],
): Promise<Set<Pick<TrashItem, "path" | "trash">>> {
  const storage = trashes.storage()
  const scope = context.options.all ? {} : { cwd: cwdIn(context) }
  const named = new Map<string, Pick<TrashItem, "path" | "trash">>()
  for (const ref of refs) {
    const batch = items.filter(({ deleted }) => batchName(deleted) === ref)
    for (const item of batch) named.set(item.path, item)
    if (batch.length > 0) continue
    if (!storage) throw noTrash(ref)
    const path = await resolveSession({ storage, address: "the trash" }, ref, scope)
    const item = items.find((one) => one.path === path)
    named.set(path, item ?? { path, trash: trashes.first() })
  }
  return new Set(named.values())
}

function lastOf(items: readonly TrashItem[]): readonly TrashItem[] {
  const [newest] = items
  if (!newest) throw noTrash("")
  return items.filter(({ deleted }) => deleted === newest.deleted)
}

function noTrash(ref: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", "There is nothing in the trash.", { ref })
}
