import type { Lease, SessionStorage } from "../ports/session-storage.js"
import { factoryOf } from "../session/factory-of.js"
import type { SessionRef } from "../session/listing/resolve-ref.js"
import { underLease } from "../session/rewrite/stored-session.js"
import type { SessionFactory } from "../session/session-factory.js"
import type { SessionManager } from "../session/session-manager.js"

/** For functions that change a stored session as a whole. */
export interface ChangeOptions {
  /** Where `@last` and names look. Default: everywhere. */
  readonly cwd?: string | undefined
  /** Report what would be done, and write nothing. Default false. */
  readonly dryRun?: boolean | undefined
}

export interface ChangedSession {
  readonly factory: SessionFactory
  readonly storage: SessionStorage
  readonly key: string
  /** Undefined in a dry run. */
  readonly lease?: Lease | undefined
}

/** Changes a stored session under its lease. @throws SessionNotFoundError, AmbiguousSessionError, SessionBusyError */
export async function changeStored<T>(
  sessions: SessionManager,
  ref: SessionRef,
  { cwd, dryRun = false }: ChangeOptions,
  change: (session: ChangedSession) => Promise<T>,
): Promise<T> {
  const factory = factoryOf(sessions)
  const key = await sessions.resolve(ref, { cwd })
  const storage = factory.writable(key)
  const session = { factory, storage, key }
  return dryRun ? change(session) : underLease(storage, key, (lease) => change({ ...session, lease }))
}
