import type { SessionInfo, SessionStorage } from "@treelog/session-core"
import { isSameFolder, joinPath, listSessions, pathBelow } from "@treelog/session-core/adapter"
import { relocateSession } from "@treelog/session-core/maintenance"
import { absoluteFolder, isFolder } from "@treelog-internal/fs"
import { folderLine, plural } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { relocationLine } from "../render/result-lines.js"
import { nothingExamined, writableSources } from "../sessions/open-library.js"
import { Outcomes, requireFree } from "../sessions/outcomes.js"
import type { Sessions } from "../store/command-sessions.js"
import { foldersOf } from "../store/scope.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "move sessions to the new path of a renamed folder",
  description:
    "After you renamed or moved a project folder: list its sessions; with --apply, move them to the new path.",
  examples: [
    ["treelog relocate --from ~/shop --to ~/store", "show what would move"],
    ["treelog relocate --from ~/shop --to ~/store --apply", "move them"],
  ],
  options: [
    ["--from <folder>", "the old path; includes the folders below it", { isRequired: true }],
    ["--to <folder>", "the new path", { isRequired: true }],
    ["--apply", "move the files; of their bytes only the cwd of the header changes"],
  ],
  run: relocate,
}

interface RelocateCommandOptions {
  readonly from: string
  readonly to: string
  readonly apply?: boolean
}

/** Moves the sessions of a renamed folder, and of folders below it, to the new path; or lists them. */
export async function relocate(context: CommandContext, options: RelocateCommandOptions): Promise<ExitCode> {
  const { io } = context
  const folders = { from: absoluteFolder(io, options.from), to: absoluteFolder(io, options.to) }
  const { from, to } = folders
  const { apply = false } = options
  if (from === to) throw new UsageError("--from and --to are the same folder.")
  if (apply) context.finishUnread()
  const stores = await writableSources(context)
  if (stores.length === 0) return nothingExamined(context, stores, true)
  const progress = new Progress(context)
  const outcomes = new Outcomes(context, progress)
  for (const { sessions } of stores) {
    const manager = await sessions.manager()
    for (const { info, cwd } of await sessionsOf(context, sessions, folders, progress)) {
      io.interrupted.throwIfAborted()
      const key = keyMoved(sessions, info, cwd)
      const outcome = await outcomes.of(info.path, () =>
        apply
          ? context.hold(relocateSession(manager, info.path, cwd, { to: key }))
          : requireFree(sessions, info.path).then(() => key),
      )
      await progress.clear()
      if (outcome && context.options.json)
        await context.printJson({ path: info.path, id: info.id, from: info.cwd, to: cwd, newPath: key, dryRun: !apply })
      else if (outcome) await context.print([relocationLine(info, cwd, context.style, io.env.HOME)])
      await progress.show(`Moved ${plural(outcomes.done, "session")}`)
    }
  }
  await progress.clear()
  await context.log(sentence(outcomes, folderLine(from, io.env.HOME), apply))
  if (outcomes.done > 0 && !(await isFolder(to))) await context.log(`There is no folder ${to}.`)
  return outcomes.count === 0 ? EXIT.notFound : outcomes.exitCode()
}

/** A session of the old folder or below it, and its folder then. */
interface Moving {
  readonly info: SessionInfo
  readonly cwd: string
}

/** What is at the new folder already stays as it is, also where that is in the old one. */
async function sessionsOf(
  context: CommandContext,
  { storage }: Sessions,
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

function sentence({ done, failureText }: Outcomes, from: string, apply: boolean): string {
  if (done === 0 && failureText === "") return `There is no session of ${from}, nor of a folder below it.`
  const went = `${plural(done, "session")} ${apply ? "moved" : "to move"}`
  const tail = failureText === "" ? "." : `, ${failureText}.`
  return went + tail + (apply ? "" : " This was a dry run; --apply does it.")
}
