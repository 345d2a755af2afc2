import type { SessionInfo } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { planPrune } from "@treelog/session-core/maintenance"
import { heldSessions, isKeptStore, keptPlace, removeKept } from "@treelog/stores"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import { type ExitCode, UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { sessionTable } from "../../render/session-table.js"
import { shortSessionIds } from "../../render/short-ids.js"
import { type CommandSource, openMachine } from "../../sessions/open-library.js"
import { Outcomes } from "../../sessions/outcomes.js"

/** Which copies are removed. */
export interface PruneKeptOptions {
  readonly prune?: boolean
  readonly keepLast?: number
  /** Milliseconds. */
  readonly olderThan?: number
  /** Bytes. */
  readonly maxSize?: number
  readonly apply?: boolean
}

/** Removes copies of sessions that only copies have, or lists them. Those that are held stay. */
export async function pruneKept(context: CommandContext, options: PruneKeptOptions): Promise<ExitCode> {
  const { keepLast, olderThan, maxSize, apply = false } = options
  if (keepLast === undefined && olderThan === undefined && maxSize === undefined)
    throw new UsageError("Choose what to remove: --older-than, --keep-last or --max-size.")
  const { io } = context
  const sources = (await openMachine(context)).sources.filter(({ name }) => isKeptStore(name))
  const owners = new Map<string, CommandSource>()
  const found: SessionInfo[] = []
  for (const source of sources)
    for await (const info of listSessions(source.storage, undefined, { signal: io.interrupted })) {
      owners.set(info.path, source)
      found.push(info)
    }
  const held = heldSessions(io)
  const facts = {
    sizeOf: async ({ size }: SessionInfo) => size,
    isInUse: async ({ id }: SessionInfo) => held.has(id),
    hasLabels: async () => false,
  }
  const rules = { keepLast, olderThan: olderThan ?? 0, maxSize, includeNamed: true, includeLabelled: true }
  const plan = await planPrune(found, rules, facts, context.startedAt)
  const outcomes = new Outcomes(context)
  const gone: SessionInfo[] = []
  let isHeld = 0
  for (const { info, keptFor } of plan.items) {
    io.interrupted.throwIfAborted()
    if (keptFor !== undefined) isHeld += 1
    const source = owners.get(info.path)
    const place = source && keptPlace(io, source.name)
    if (keptFor !== undefined || !source || !place) continue
    const session = { place, storage: source.storage, key: info.path, id: info.id }
    if (!(await outcomes.of(info.path, async () => apply && (await context.hold(removeKept(session)))))) continue
    gone.push(info)
    if (context.options.json)
      await context.printJson({
        path: info.path,
        id: info.id,
        size: info.size,
        modified: info.modified,
        dryRun: !apply,
      })
  }
  if (!context.options.json && gone.length > 0) await printTable(context, gone.reverse(), found)
  const bytes = gone.reduce((sum, { size }) => sum + size, 0)
  const what = `${numberText(gone.length)} of ${plural(found.length, "session")} that only copies have, ${sizeText(bytes)}`
  const parts = [
    gone.length === 0 ? "Nothing to remove." : `${what}, ${apply ? "removed" : "would be removed"} for good.`,
    isHeld > 0 ? `Held: ${numberText(isHeld)}.` : "",
    outcomes.failureText === "" ? "" : `${outcomes.failureText}.`,
    !apply && gone.length > 0 ? "This was a dry run; --apply removes them." : "",
  ]
  await context.log(parts.filter(Boolean).join(" "))
  return outcomes.exitCode()
}

async function printTable(
  context: CommandContext,
  rows: readonly SessionInfo[],
  all: readonly SessionInfo[],
): Promise<void> {
  const ids = shortSessionIds(all.map(({ id }) => id))
  await context.print(sessionTable(rows, { ...context.look, shortId: (id) => ids.of(id), withCwd: true }))
}
