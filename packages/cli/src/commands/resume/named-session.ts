import type { Sessions } from "../../sessions/compose-sessions.js"
import { existingKey } from "../../sessions/open-session.js"
import type { Resumed } from "./print-resumed.js"

/** The session that a reference means. @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError */
export async function sessionByRef(sessions: Sessions, ref: string): Promise<Resumed> {
  const path = await existingKey(sessions, ref)
  const session = await sessions.manager.open(path, { access: "read" })
  try {
    return { path, id: session.getSessionId(), cwd: session.getCwd(), name: session.getSessionName() }
  } finally {
    await session.close()
  }
}
