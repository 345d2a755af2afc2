import { type Change, ownerRules } from "@treelog/agents"
import type { SessionInfo, SessionStorage } from "@treelog/session-core"
import { isSameFolder, joinPath, listSessions, pathBelow } from "@treelog/session-core/adapter"
import { relocateSession } from "@treelog/session-core/maintenance"
import { applyPlanned, planRelocation, recordedMove, undoLast } from "@treelog/stores"
import { absoluteFolder, isFolder } from "@treelog-internal/fs"
import { folderLine, plural } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { relocationLine } from "../render/result-lines.js"
import { type CommandSource, nothingExamined, openLibrary } from "../sessions/open-library.js"
import { Outcomes, printUndone, requireFree } from "../sessions/outcomes.js"
import { listed } from "../store/chosen-store.js"
import { isWritableStore, ownManager, requireWritable, type Sessions } from "../store/command-sessions.js"
import { foldersOf } from "../store/scope.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "move sessions to the new path of a renamed folder",
  description:
    "After you renamed or moved a project folder: list its sessions; with --apply, move them to the new path, where their agents list them and go on.",
  examples: [
    ["treelog relocate --from ~/shop --to ~/store", "show what would move"],
    ["treelog relocate --from ~/shop --to ~/store --apply", "move them"],
    ["treelog relocate --undo", "move them back"],
  ],
  options: [
    ["--from <folder>", "the old path; includes the folders below it"],
    ["--to <folder>", "the new path"],
    ["--apply", "move the files; of their bytes only the named folders change"],
    ["--undo", "undo the last --apply, within 30 days"],
  ],
  run: relocate,
}

interface RelocateCommandOptions {
  readonly from?: string
  readonly to?: string
  readonly apply?: boolean
  readonly undo?: boolean
}

export async function relocate(context: CommandContext, options: RelocateCommandOptions): Promise<ExitCode> {
  const { io } = context
  if (options.undo) return undoRelocation(context)
  if (options.from === undefined || options.to === undefined) throw new UsageError("relocate needs --from and --to.")
  const folders = { from: absoluteFolder(io, options.from), to: absoluteFolder(io, options.to) }
  const { from, to } = folders
  const { apply = false } = options
  if (from === to) throw new UsageError("--from and --to are the same folder.")
  if (apply) context.finishUnread()
  const stores = await relocatableSources(context)
  if (stores.length === 0) return nothingExamined(context, stores, true)
  const progress = new Progress(context)
  const outcomes = new Outcomes(context)
  const what = `relocate --from ${from} --to ${to}`
  const changes: Change[] = []
  const planned: (() => Promise<void>)[] = []
  const moved = async (info: SessionInfo, cwd: string, newPath: string): Promise<void> => {
    if (context.options.json)
      await context.printJson({ path: info.path, id: info.id, from: info.cwd, to: cwd, newPath, dryRun: !apply })
    else await context.print([relocationLine(info, cwd, context.style, io.env.HOME)])
    await progress.show(`Moved ${plural(outcomes.done, "session")}`)
  }
  for (const sessions of stores) {
    io.interrupted.throwIfAborted()
    const store = sessions.options.store ?? sessions.name
    const moving = await sessionsOf(context, sessions, folders, progress)
    if (!isWritableStore(sessions)) {
      const plan = await planAgent(context, store, folders, moving, outcomes)
      changes.push(...(plan?.changes ?? []))
      for (const { info, cwd } of plan ? moving : [])
        planned.push(async () => {
          const newPath = plan?.pathOf(info.path) ?? info.path
          if (await outcomes.of(info.path, async () => newPath)) await moved(info, cwd, newPath)
        })
      continue
    }
    const manager = await ownManager(sessions)
    for (const { info, cwd } of moving) {
      io.interrupted.throwIfAborted()
      const key = keyMoved(sessions, info, cwd)
      const undo = { kind: "session", store, key: info.path, to: key, from: info.cwd, cwd } as const
      const outcome = await outcomes.of(info.path, () =>
        apply
          ? context.hold(
              recordedMove(io, what, undo, io.now(), () => relocateSession(manager, info.path, cwd, { to: key })),
            )
          : requireFree(sessions, info.path).then(() => key),
      )
      if (outcome) await moved(info, cwd, key)
    }
  }
  if (apply && changes.length > 0) await context.hold(applyPlanned(io, what, { changes }, io.now()))
  for (const one of planned) await one()
  const { done, failureText } = outcomes
  const went = outcomes.sentence(`${plural(done, "session")} ${apply ? "moved" : "to move"}`)
  if (done === 0 && failureText === "")
    await context.log(`There is no session of ${folderLine(from, io.env.HOME)}, nor of a folder below it.`)
  else await context.log(apply ? went : `${went} This was a dry run; --apply does it.`)
  if (done > 0 && !(await isFolder(to))) await context.log(`There is no folder ${to}.`)
  return outcomes.count === 0 ? EXIT.notFound : outcomes.exitCode()
}

/** The stores whose sessions can be moved: those that treelog writes, and those of agents whose rules are known. */
async function relocatableSources(context: CommandContext): Promise<readonly CommandSource[]> {
  const { sources } = await openLibrary(context)
  const can: CommandSource[] = []
  const others = new Set<string>()
  for (const source of sources) {
    const { agent, program } = source
    const isKnown = agent !== undefined && (await ownerRules(agent))?.relocate !== undefined
    if (isWritableStore(source) || isKnown) can.push(source)
    else if (program === undefined) requireWritable(source)
    else others.add(agent ?? program)
  }
  if (others.size > 0)
    await context.log(`The sessions of ${listed([...others])} are only read: nothing there is changed.`)
  return can
}

/** What changes in the store of an agent; undefined where nothing does, or its agent has a session open. */
async function planAgent(
  { io }: CommandContext,
  store: string,
  folders: { readonly from: string; readonly to: string },
  moving: readonly Moving[],
  outcomes: Outcomes,
): Promise<{ changes: readonly Change[]; pathOf(path: string): string } | undefined> {
  if (moving.length === 0) return undefined
  const sessions = moving.map(({ info, cwd }) => ({ session: info, cwd }))
  const [first] = moving
  const plan = await outcomes.plan(first?.info.path ?? "", () =>
    planRelocation(io, store, { ...folders, sessions }, io.now()),
  )
  if (!plan) return undefined
  const moves = new Map(plan.changes.flatMap((change) => (change.kind === "move" ? [[change.from, change.to]] : [])))
  return { changes: plan.changes, pathOf: (path) => moves.get(path) ?? path }
}

/** Moves back what the last `--apply` moved. */
async function undoRelocation(context: CommandContext): Promise<ExitCode> {
  const { sources } = await openLibrary(context)
  const undone = await context.hold(
    undoLast(context.io, "relocate", async ({ store, key, to, from }) => {
      const sessions = sources.find(({ name, options }) => (options.store ?? name) === store)
      if (!sessions || !isWritableStore(sessions)) return `the store ${store} cannot be changed`
      const path = (await sessions.storage.stat(to)) ? to : key
      await relocateSession(await ownManager(sessions), path, from, { to: key })
      return undefined
    }),
  )
  return printUndone(context, undone)
}

/** A session of the old folder or below it, and its folder then. */
interface Moving {
  readonly info: SessionInfo
  readonly cwd: string
}

/** What is at the new folder already stays as it is, also where that is in the old one. */
async function sessionsOf(
  context: CommandContext,
  { storage }: Pick<Sessions, "storage">,
  { from, to }: { from: string; to: string },
  progress: Progress,
): Promise<Moving[]> {
  const { io } = context
  const { folderName } = foldersOf(context)
  const found: Moving[] = []
  const isNested = !isSameFolder(from, to) && pathBelow(from, to) !== undefined
  let looked = 0
  for await (const info of listSessions(storage, undefined, { signal: io.interrupted })) {
    looked += 1
    const below = info.error
      ? undefined
      : (pathBelow(from, info.cwd) ?? pathBelow(folderName(from), folderName(info.cwd)))
    const cwd = below === undefined ? info.cwd : joinPath(to, below)
    if (cwd !== info.cwd && !(isNested && pathBelow(to, info.cwd) !== undefined)) found.push({ info, cwd })
    await progress.show(`Scanned ${plural(looked, "session")}`)
  }
  return found.sort((a, b) => (a.info.path < b.info.path ? -1 : 1))
}

/** In a database, a session of a project stays where it is: only its header names the folder. */
function keyMoved(
  { files, storage, projectOf }: Sessions<SessionStorage>,
  { path, id, created }: SessionInfo,
  cwd: string,
): string {
  if (files) return files.storage.keyMoved(path, cwd)
  return storage.keyFor({ cwd, id, timestamp: new Date(created).toISOString(), project: projectOf(cwd) })
}
