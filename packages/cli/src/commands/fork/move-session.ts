import type { Session } from "@treelog/session-core"
import type { Sessions } from "../../sessions/command-sessions.js"

/** Moves a new session to another folder, if one is named. */
export async function moveSession(
  { manager }: Sessions,
  session: Session,
  folder: string | undefined,
): Promise<Session> {
  if (folder === undefined) return session
  await session.close()
  return manager.open(await manager.move(session.getSessionFile() ?? session.getSessionId(), folder), {
    access: "read",
  })
}
