import type { Session } from "@treelog/session-core"
import type { CommandContext } from "./command-context.js"
import { cleanLine } from "./render/clean-text.js"

/** Prints what one needs to go on with a session that was just made: its id and its path. */
export async function printNewSession(context: CommandContext, session: Session): Promise<void> {
  const sessionId = session.getSessionId()
  const path = session.getSessionFile()
  if (context.options.json) {
    await context.printJson({ sessionId, path, cwd: session.getCwd(), leafId: session.getLeafId() })
  } else await context.print([`${cleanLine(sessionId)}  ${cleanLine(path)}`])
}
