import type { SessionInfo } from "@treelog/session-core"
import type { Env, FsPort } from "@treelog-internal/fs"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import type { Change } from "./change.js"

/** A store of an agent, to whose own list of sessions the rules apply. */
export interface OwnedStore {
  /** The folder of the agent. An absolute path. */
  readonly folder: string
  /** What has the sessions in there. */
  readonly sessions: string
  readonly fs: FsPort
  readonly env: Env
  /** Undefined where there is no SQLite. */
  readonly loadDriver: () => Promise<SqliteDriver | undefined>
}

/** A session of an agent, as it is listed; its parts are none. */
export type OwnedSession = Pick<SessionInfo, "path" | "id" | "cwd" | "modified" | "error">

/** Why an agent does not list a session, when it is started in the session's folder. */
export type HiddenReason =
  /** Its folder is gone. */
  | "folder-gone"
  /** It was a worktree of a repository, which is gone. */
  | "worktree-gone"
  /** Its folder was in a repository, and is in none. */
  | "repository-gone"
  /** It stands with the sessions of another folder, or under another spelling of its own. */
  | "other-folder"
  /** An SDK, a script or a daemon made it. */
  | "entrypoint"
  /** Its provider of models is not the configured one. */
  | "provider"
  /** Nothing was said in it. */
  | "no-prompt"
  | "archived"
  /** Another session started it. */
  | "child"
  /** It was continued in another session, which is listed. */
  | "continued"
  /** Another file has its id, and is newer. */
  | "duplicate"
  /** A version of the agent wrote it in a form, or a place, that the present one does not list. */
  | "version"
  | "damaged"

/** Why an agent does not list a session. */
export interface WhyHidden {
  readonly reason: HiddenReason
  /** The value that hides it, such as `sdk-cli`, for a sentence. */
  readonly detail?: string
}

/** When an agent deletes sessions by itself. */
export interface Deletion {
  /** Of the last change. */
  readonly afterDays: number
  /** Where that is set, or could be: `cleanupPeriodDays in ~/.claude/settings.json`. */
  readonly setting: string
  readonly isDefault: boolean
  /** Whether it leaves a session where it is, however old that is. Default: none. @param modified of its file, and `now`: milliseconds since 1970 */
  readonly isExempt?: (path: string, modified: number, now: number) => Promise<boolean>
}

/** The sessions that move to another folder with their project. */
export interface Relocation {
  readonly from: string
  readonly to: string
  readonly sessions: readonly { readonly session: OwnedSession; readonly cwd: string }[]
}

/** What an agent does with its own sessions. Tried with the program: see `npm run check-agents`. */
export interface OwnerRules {
  /** Why its own list leaves a session out; undefined of one that it lists. @throws StorageError */
  whyHidden(store: OwnedStore): Promise<(session: OwnedSession) => Promise<WhyHidden | undefined>>
  /**
   * Undefined where it deletes none. Default: unknown.
   * @param cwds the folders of its sessions
   * @throws StorageError
   */
  deletion?(store: OwnedStore, cwds: ReadonlySet<string>): Promise<Deletion | undefined>
  /** The reasons that it can be made to list a session for. Default: none. */
  readonly unhides?: readonly HiddenReason[]
  /** What makes it list a hidden session; undefined where nothing would. @throws StorageError */
  unhide?(store: OwnedStore, session: OwnedSession, why: WhyHidden): Promise<readonly Change[] | undefined>
  /** What has to change where a project is in another folder. Default: unknown. @throws StorageError */
  relocate?(store: OwnedStore, relocation: Relocation): Promise<readonly Change[]>
}
