import type { Session, SessionManager } from "@treelog/session-core"
import { managerWith, storedBlobs } from "../../blobs/session-blobs.js"
import type { Sessions } from "../../sessions/command-sessions.js"

/**
 * A manager that puts new sessions of a session's folder into the project that the store has that session in: its folder may be on
 * another machine, where nobody here can tell its project.
 * @param key of the session
 */
export async function projectManager(sessions: Sessions, source: Session, key: string): Promise<SessionManager> {
  const { manager, storage, files, projectOf } = sessions
  if (files) return manager
  const folder = source.getCwd()
  for await (const name of storage.find(source.getSessionId()))
    if (name.key === key && name.project !== undefined) {
      const { project } = name
      const inProject = (cwd: string): string | undefined => (cwd === folder ? project : projectOf(cwd))
      return managerWith({ storage, projectOf: inProject }, await storedBlobs(sessions)?.open("write"))
    }
  return manager
}
