import type { SessionInfo } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { planPrune } from "@treelog/session-core/maintenance"
import { artifactsFolder } from "@treelog/storage-fs"
import { absoluteFolder } from "@treelog-internal/fs"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import { type ExitCode, UsageError } from "../../errors/exit-codes.js"
import { type CommandContext, Progress } from "../../io/command-context.js"
import { sessionTable } from "../../render/session-table.js"
import { storedShortIds } from "../../render/short-ids.js"
import { folderSize } from "../../sessions/disk-use.js"
import { removal, restoreHint } from "../../sessions/move-to-trash.js"
import { nothingExamined, type WritableSource, writableSources } from "../../sessions/open-library.js"
import { Outcomes } from "../../sessions/outcomes.js"
import { type TimeOptions, timesOf } from "../../sessions/time-options.js"
import { ownManager, type Sessions } from "../../store/command-sessions.js"
import { foldersOf } from "../../store/scope.js"
import { caught } from "../../store/stored-keys.js"

type PruneRules = Parameters<typeof planPrune>[1]

type PrunePlan = Awaited<ReturnType<typeof planPrune>>

export interface PruneCommandOptions extends Omit<PruneRules, "olderThan" | keyof TimeOptions>, TimeOptions {
  /** Milliseconds. */
  readonly olderThan?: number
  readonly project?: string
  readonly apply?: boolean
  readonly permanent?: boolean
}

/** A session that was just active is deleted only on request: a program without a lease may be about to write it. */
const IN_USE_MS = 60 * 60 * 1000

/** Moves the sessions that match the options to the trash, or lists them. */
export async function prune(context: CommandContext, options: PruneCommandOptions): Promise<ExitCode> {
  requireSelection(context, options)
  const times = timesOf(options, context.startedAt)
  const { apply = false, permanent = false, olderThan = IN_USE_MS } = options
  if (apply) context.finishUnread()
  const stores = await writableSources(context)
  const progress = new Progress(context)
  const owners = new Map<string, WritableSource>()
  const found: SessionInfo[] = []
  for (const store of stores)
    for (const info of await sessionsOf(context, store, options.project, progress)) {
      owners.set(info.path, store)
      found.push(info)
    }
  if (found.length === 0) return nothingExamined(context, stores)
  const ownerOf = (path: string): WritableSource => owners.get(path) as WritableSource
  const { since: _, until: __, ...given } = options
  const rules = { ...given, ...times, olderThan, projectOf: foldersOf(context).nameOf }
  const planning = planPrune(found, rules, pruneFacts(context, ownerOf), context.startedAt)
  const plan = await progress.during(planning, () => "Reading the sessions to delete")
  const outcomes = new Outcomes(context)
  const rows: SessionInfo[] = []
  const gone = new Map<WritableSource, string[]>()
  const removals = new Map(apply ? stores.map((store) => [store, removal(context, store, permanent)] as const) : [])
  for (const { info, error } of plan.failures) await outcomes.fail(await caught(context, info.path, error))
  for (const item of plan.items) {
    context.io.interrupted.throwIfAborted()
    const owner = ownerOf(item.info.path)
    const remove = item.keptFor === undefined ? removals.get(owner) : undefined
    const outcome = await outcomes.of(item.info.path, async () => remove?.(item.info.path, item.info) ?? null)
    if (!outcome) continue
    if (outcome.result !== null) gone.set(owner, [...(gone.get(owner) ?? []), outcome.result])
    if (item.keptFor === undefined) rows.push(item.info)
    if (context.options.json) await context.printJson(jsonItem(item, outcome.result, !apply))
    await progress.show(
      permanent ? `Deleted ${plural(rows.length, "session")}` : `Moved ${plural(rows.length, "session")} to the trash`,
    )
  }
  if (!context.options.json) await printTable(context, stores, rows.reverse())
  const inUse = options.olderThan === undefined ? found.filter((info) => isInUse(info, context)).length : 0
  await context.log(pruneSentence(plan, found, outcomes, { rows: rows.length, apply, permanent, inUse }))
  for (const [store, paths] of gone) await context.log(restoreHint(context, store, paths))
  return outcomes.exitCode()
}

function requireSelection({ options: global }: CommandContext, options: PruneCommandOptions): void {
  const { olderThan, since, until, keepLast, maxSize, empty, project } = options
  if ([olderThan, since, until, keepLast, maxSize, empty, project].every((option) => option === undefined))
    throw new UsageError(
      "Choose what to delete: --older-than, --since, --until, --keep-last, --max-size, --empty or --project.",
    )
  if (project !== undefined && (global.all || global.cwd !== undefined))
    throw new UsageError("--project cannot be combined with --all or --cwd.")
}

function isInUse({ modified, error }: SessionInfo, { startedAt }: CommandContext): boolean {
  return !error && startedAt - modified < IN_USE_MS
}

async function sessionsOf(
  context: CommandContext,
  { storage, projectOf, cwd }: Sessions,
  project: string | undefined,
  progress: Progress,
): Promise<SessionInfo[]> {
  const { io, options } = context
  const settings = { projectOf, signal: io.interrupted }
  const folder = project === undefined ? cwd : absoluteFolder(io, project)
  const found: SessionInfo[] = []
  for await (const info of listSessions(storage, options.all ? undefined : folder, settings)) {
    found.push(info)
    await progress.show(`Scanned ${plural(found.length, "session")}`)
  }
  return found
}

function jsonItem({ info, bytes, keptFor }: PrunePlan["items"][number], trash: string | null, dryRun: boolean): object {
  const { path, id, cwd, name, modified, messageCount } = info
  return { path, id, cwd, name, modified, messageCount, size: bytes, dryRun, keptFor: keptFor ?? null, trash }
}

async function printTable(
  context: CommandContext,
  stores: readonly WritableSource[],
  rows: readonly SessionInfo[],
): Promise<void> {
  if (rows.length === 0) return
  const ids = await storedShortIds(...stores.map(({ storage }) => storage))
  ids.add(rows.map(({ id }) => id))
  const withCwd = context.options.all === true
  await context.print(sessionTable(rows, { ...context.look, shortId: (id) => ids.of(id), withCwd }))
}

export function wentWhere(apply: boolean, permanent: boolean): string {
  if (permanent) return apply ? "deleted for good" : "would be deleted for good"
  return apply ? "moved to the trash" : "would move to the trash"
}

type KeptFor = NonNullable<PrunePlan["items"][number]["keptFor"]>

const WHY: Readonly<Record<KeptFor, string>> = {
  named: "named",
  labelled: "labelled",
  leased: "in use by another process",
}

/** What was or would be deleted, what matches but is kept, and the next command. */
function pruneSentence(
  { items, excess }: PrunePlan,
  found: readonly SessionInfo[],
  outcomes: Outcomes,
  { rows, inUse, apply, permanent }: Record<"rows" | "inUse", number> & Record<"apply" | "permanent", boolean>,
): string {
  const taken = items.filter(({ keptFor }) => keptFor === undefined)
  const bytes = taken.reduce((sum, item) => sum + item.bytes, 0)
  const unreadable = found.filter(({ error }) => error).length
  const kept = (Object.keys(WHY) as KeptFor[]).flatMap((why) => {
    const count = items.filter(({ keptFor }) => keptFor === why).length
    return count > 0 ? `${numberText(count)} ${WHY[why]}` : []
  })
  const went = `${numberText(rows)} of ${plural(found.length, "session")}, ${sizeText(bytes)}, ${wentWhere(apply, permanent)}`
  return [
    rows === 0 && outcomes.failureText === "" ? "Nothing to delete." : outcomes.sentence(went),
    kept.length > 0 ? `Kept: ${kept.join(", ")}.` : "",
    inUse > 0 ? `In use: ${numberText(inUse)} active within the last hour; --older-than 0 includes them.` : "",
    unreadable > 0 ? `Skipped: ${numberText(unreadable)} that cannot be read.` : "",
    excess > 0 ? `${sizeText(excess)} more than --max-size ${apply ? "is" : "would be"} left.` : "",
    !apply && rows > 0 ? `This was a dry run; --apply ${permanent ? "deletes" : "moves"} them.` : "",
  ]
    .filter(Boolean)
    .join(" ")
}

/** Finds a label entry in any layout of its JSON: within a string the quotes would be escaped. */
const LABEL = Buffer.from('"label"')
const BLOCK = 1 << 20

/** A session is deleted with its artifacts. @param ownerOf the store of a session */
function pruneFacts({ io }: CommandContext, ownerOf: (path: string) => Sessions): Parameters<typeof planPrune>[2] {
  return {
    sizeOf: async ({ path, size }) => {
      io.interrupted.throwIfAborted()
      const artifacts = ownerOf(path).files && artifactsFolder(path)
      return size + (artifacts === undefined ? 0 : await folderSize(artifacts))
    },
    isInUse: async ({ path }) => (await ownerOf(path).files?.storage.holderOf(path)) !== undefined,
    hasLabels: (info) => hasLabels(ownerOf(info.path), info),
  }
}

/** Most sessions never had a label, which a search of their bytes shows without parsing. */
async function hasLabels(sessions: Sessions, info: SessionInfo): Promise<boolean> {
  if (!(await mentionsLabels(sessions, info))) return false
  const session = await (await ownManager(sessions)).open(info.path, { access: "read" })
  try {
    return session.getEntries().some(({ id }) => session.getLabel(id) !== undefined)
  } finally {
    await session.close()
  }
}

async function mentionsLabels({ storage }: Sessions, { path, size }: SessionInfo): Promise<boolean> {
  const into = Buffer.allocUnsafe(BLOCK)
  for (let at = 0; at < size; at += BLOCK - LABEL.length + 1) {
    const bytes = await storage.readRange(path, at, BLOCK, undefined, into)
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(LABEL)) return true
  }
  return false
}
