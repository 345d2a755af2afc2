import type { SessionInfo } from "@treelog/session-core"
import { knownErrorMessage } from "../../errors/command-message.js"
import { UsageError } from "../../errors/usage-error.js"
import { moveToTrash } from "../../housekeeping/move-to-trash.js"
import type { CommandContext } from "../../io/command-context.js"
import { sessionPrompts } from "../../prompts/session-prompts.js"
import type { Sessions } from "../../sessions/compose-sessions.js"
import { withSession } from "../../sessions/open-session.js"
import { pickerDisplay, quietContext, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { type SessionActions, SessionPicker } from "../../tui/sessions/session-picker.js"
import type { ResumeOptions } from "./resume-options.js"

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

/** What the picker of sessions has done, on the store that the options name. */
export function sessionActions(context: CommandContext, sessions: Sessions): SessionActions {
  const { manager, storage, cwd } = sessions
  const quiet = quietContext(context)
  return {
    list: (scope, signal) => (scope === "all" ? manager.listAll({ signal }) : manager.list(cwd, { signal })),
    prompts: (path, signal) => sessionPrompts(storage, path, signal),
    rename: async (path, asked) => {
      const renaming = withSession(quiet, path, (session) => {
        session.appendSessionInfo(asked)
        return session.getSessionName()
      })
      const name = await context.hold(renaming)
      return { name, size: (await storage.stat(path))?.size ?? 0 }
    },
    moveToTrash: async ({ path, size }) => {
      if (!sessions.files)
        throw new UsageError("A database has no trash; `treelog delete --permanent` deletes for good.")
      const { trash } = sessions.files.storage
      await context.hold(moveToTrash(quiet, trash, path, { size }))
      return "Moved to the trash; `treelog restore` restores it."
    },
    faultOf: knownErrorMessage,
  }
}
