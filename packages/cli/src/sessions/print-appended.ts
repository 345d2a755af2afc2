import type { Session } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"
import { cleanLine } from "../render/clean-text.js"

/** Prints the id of an entry that was just written. */
export async function printAppended(
  context: CommandContext,
  { session, entryId, ...more }: { session: Session; entryId: string },
): Promise<void> {
  if (context.options.json) {
    const leafId = session.getLeafId()
    await context.printJson({
      sessionId: session.getSessionId(),
      path: session.getSessionFile(),
      entryId,
      leafId,
      ...more,
    })
  } else await context.print([cleanLine(entryId)])
}
