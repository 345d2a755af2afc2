import type { Session, SessionStorage } from "@treelog/session-core"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { type TestClock, testClock, testIds } from "@treelog-internal/test-kit"

export const CWD = "/project"

export interface Given<Storage extends SessionStorage> {
  readonly storage: Storage
  readonly clock: TestClock
  readonly sessions: SessionManager
}

/** A manager with a clock and ids that count. A second one on the same storage needs another `start` for its ids. */
export function givenManager(): Given<MemorySessionStorage>
export function givenManager<Storage extends SessionStorage>(storage: Storage, start?: number): Given<Storage>
export function givenManager(storage: SessionStorage = new MemorySessionStorage(), start = 0): Given<SessionStorage> {
  const clock = testClock()
  return { storage, clock, sessions: new SessionManager({ storage, clock, ids: testIds(start), anyFile: true }) }
}

/** The key of a session that is persisted. */
export function keyOf(session: Session): string {
  const key = session.getSessionFile()
  if (key === undefined) throw new Error("the session is in memory only")
  return key
}

export const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id)
