import type { SessionInfo } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import type { Sessions } from "../../sessions/compose-sessions.js"
import { lookOf, terminalOf } from "../../tui/frame/picker-environment.js"
import { startPicker } from "../../tui/frame/start-picker.js"
import { SessionPicker } from "../../tui/sessions/session-picker.js"
import type { ResumeOptions } from "./resume-options.js"
import { sessionWork } from "./session-actions.js"

const TWINS = "`--last`, `--session SESSION` and `--query TEXT` do without"

/** Lets the user find a session. @returns undefined when the user left */
export async function pickSession(
  context: CommandContext,
  sessions: Sessions,
  { query = "", sort, named = false }: ResumeOptions,
): Promise<SessionInfo | undefined> {
  const terminal = terminalOf(context, "treelog resume", TWINS)
  const look = lookOf(context)
  const picker = new SessionPicker({
    cwd: sessions.cwd,
    view: { scope: context.options.all ? "all" : "project", sort, named, paths: false },
    query,
    look,
    work: sessionWork(context, sessions),
  })
  try {
    return await startPicker(picker, terminal, look, context.io.interrupted)
  } finally {
    await picker.stop()
    // Whoever leaves while a name is written does not cut that off.
    await context.released()
  }
}
