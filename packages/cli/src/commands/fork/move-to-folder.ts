import type { Session } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import type { Sessions } from "../../sessions/command-sessions.js"

/** Moves a new session to another folder, if one is named. */
export async function moveToFolder(
  { manager }: Sessions,
  session: Session,
  folder: string | undefined,
): Promise<Session> {
  if (folder === undefined) return session
  await session.close()
  return manager.open(await moveSession(manager, session.getSessionFile() ?? session.getSessionId(), folder), {
    access: "read",
  })
}
