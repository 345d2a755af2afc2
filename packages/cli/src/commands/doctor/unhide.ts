import { listedSession } from "@treelog/session-core/adapter"
import { applyPlanned, planUnhide, undoLast } from "@treelog/stores"
import { sessionNotFound } from "@treelog-internal/fs"
import { cleanLine } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { openLibrary } from "../../sessions/open-library.js"
import { printUndone } from "../../sessions/outcomes.js"

/** Makes an agent list a session again, and says how that is undone. */
export async function unhideSession(context: CommandContext, ref: string): Promise<ExitCode> {
  const { io } = context
  const { source, path } = await (await openLibrary(context)).resolve(ref)
  const info = await listedSession(source.storage, path)
  if (!info) throw sessionNotFound(path)
  const plan = await planUnhide(io, source.options.store ?? source.name, info, io.now())
  await context.hold(applyPlanned(io, `doctor --unhide ${info.id}`, plan, io.now()))
  await context.report({ id: info.id, path, changes: plan.lines }, plan.lines.map(cleanLine))
  await context.log("Its agent lists it now. `treelog doctor --undo` undoes it.")
  return EXIT.ok
}

/** Undoes the last change of `--unhide`. */
export async function undoUnhide(context: CommandContext): Promise<ExitCode> {
  return printUndone(context, await context.hold(undoLast(context.io, "doctor")))
}
