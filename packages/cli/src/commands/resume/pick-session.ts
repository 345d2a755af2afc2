import type { SessionInfo } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import type { Sessions } from "../../sessions/compose-sessions.js"
import { pickerDisplay, requireTerminal } from "../../tui/frame/picker-environment.js"
import { startPicker } from "../../tui/frame/start-picker.js"
import { SessionPicker } from "../../tui/sessions/session-picker.js"
import type { ResumeOptions } from "./resume-options.js"
import { sessionActions } from "./session-actions.js"

const ALTERNATIVES = "use `--last`, `--session SESSION` or `--query TEXT` instead"

/** Lets the user find a session. @returns undefined when the user left */
export async function pickSession(
  context: CommandContext,
  sessions: Sessions,
  { query = "", sort, named = false }: ResumeOptions,
): Promise<SessionInfo | undefined> {
  const terminal = requireTerminal(context, "treelog resume", ALTERNATIVES)
  const look = pickerDisplay(context)
  const picker = new SessionPicker({
    cwd: sessions.cwd,
    view: { scope: context.options.all ? "all" : "project", sort, named, paths: false },
    query,
    look,
    work: sessionActions(context, sessions),
  })
  try {
    return await startPicker(picker, terminal, look, context.io.interrupted)
  } finally {
    await picker.stop()
    // Whoever leaves while a name is written does not cut that off.
    await context.released()
  }
}
