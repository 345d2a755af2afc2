import { knownErrorMessage } from "../../errors/known-error-message.js"
import { moveToTrash } from "../../housekeeping/move-to-trash.js"
import type { CommandContext } from "../../io/command-context.js"
import { sessionPrompts } from "../../prompts/session-prompts.js"
import type { Sessions } from "../../sessions/compose-sessions.js"
import { withSession } from "../../sessions/open-session.js"
import { quietContext } from "../../tui/frame/picker-environment.js"
import type { SessionActions } from "../../tui/sessions/session-picker.js"

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
      await context.hold(moveToTrash(quiet, storage.trash, path, { size }))
      return "Moved to the trash; `treelog restore` restores it."
    },
    faultOf: knownErrorMessage,
  }
}
