import type { BlobStore, SessionStorage } from "@treelog/session-core"
import { type Session, SessionManager as Sessions } from "@treelog/session-core"
import { createSync } from "@treelog/session-core/sync"
import type { SessionManager } from "./pi-types.js"
import type { Place } from "./places.js"
import { TreelogSessionManager } from "./session-manager.js"

/** Where hosted sessions are stored. */
export interface PiSessionsOptions {
  readonly storage: SessionStorage
  /** Where images and very long texts go. Default: they stay in the lines. */
  readonly blobs?: BlobStore
}

/** Makes and opens pi's session managers on a storage. */
export interface PiSessions {
  /** A new session of a folder. @throws what `SessionManager.create` of session-core throws */
  create(cwd: string, options?: { id?: string; parentSession?: string }): Promise<SessionManager>
  /** @param ref a key of the storage, an id, an id prefix or a name. @throws what `SessionManager.open` of session-core throws */
  open(ref: string | { readonly id: string }): Promise<SessionManager>
  /** The newest session of the folder, or a new one. */
  continueRecent(cwd: string): Promise<SessionManager>
  /** Copies a whole session into a folder. */
  forkFrom(ref: string | { readonly id: string }, cwd: string): Promise<SessionManager>
}

/**
 * pi's session managers on any storage, for agents on a server: they are made and opened with promises; their methods are those of pi
 * and change memory at once, and what is appended is written behind. `await manager.flush()` at the end of a turn, and `close()` at the
 * end of a session.
 */
export function createPiSessions({ storage, blobs }: PiSessionsOptions): PiSessions {
  const sessions = new Sessions({ storage, ...(blobs && { blobs }) })
  const managed = (session: Session): SessionManager => {
    const place = placeIn(sessions, session.getSessionDir() ?? "")
    return new TreelogSessionManager(place, session.getCwd(), session) as unknown as SessionManager
  }
  return {
    create: async (cwd, options = {}) => managed(await sessions.create(cwd, options)),
    open: async (ref) => managed(await sessions.open(ref)),
    continueRecent: async (cwd) => managed(await sessions.continueRecent(cwd)),
    forkFrom: async (ref, cwd) => managed(await sessions.forkFrom(ref, cwd)),
  }
}

/** New sessions of the same storage. */
function placeIn(sessions: Sessions, dir: string): Place {
  return {
    dir,
    create: (cwd, options) => createSync(sessions, cwd, options),
    open(path) {
      throw new Error(`A session of this storage is opened with a promise: await createPiSessions(…).open("${path}").`)
    },
  }
}
