import type { Session } from "@treelog/session-core"
import { type SessionStats as Said, sessionStats, storeStats } from "@treelog/session-core/search"
import { plural } from "@treelog-internal/text"
import { readOnlyManager } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import type { Progress } from "../io/progress.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { caught, type Failure, ofSession, storedKeys } from "../sessions/stored-keys.js"
import { DiskTally, type DiskUse } from "./disk-tally.js"

/** Statistics of sessions: messages by role, usage, and disk space. */
export interface Stats extends Omit<Said, "messages">, DiskUse {
  readonly messages: number
  /** How many messages of each role. */
  readonly roles: Readonly<Record<string, number>>
}

export interface SessionStats extends Stats {
  readonly sessionId: string
  readonly path: string
}

/** Of every session of a store. What forks share counts once, except for disk space, which each of them takes. */
export interface StoreStats extends Stats {
  readonly sessions: number
  readonly unreadable: readonly Failure[]
}

export async function statsOfSession(sessions: Sessions, session: Session, path: string): Promise<SessionStats> {
  const tally = new DiskTally(sessions)
  await tally.add(session, path)
  const said = byRole(sessionStats(session.getEntries()))
  return { sessionId: session.getSessionId(), path, ...said, ...(await tally.use()) }
}

export async function statsOfStore(
  sessions: Sessions,
  context: CommandContext,
  progress: Progress,
): Promise<StoreStats> {
  const tally = new DiskTally(sessions)
  const unreadable: Failure[] = []
  /** The error of the session that was yielded last. */
  let uncounted: { readonly error: unknown } | undefined
  const opened = async function* (): AsyncGenerator<Session> {
    let count = 0
    for await (const found of storedKeys(sessions, context)) {
      const session = "error" in found ? found : await opening(context, sessions, found.key, tally)
      if (session && "error" in session) unreadable.push(session)
      else if (session) {
        yield session
        if (uncounted) unreadable.push(await caught(context, session.getSessionFile() ?? "", uncounted.error))
        uncounted = undefined
        await session.close()
      }
      count += 1
      await progress.show(`Counted ${plural(count, "session")}`)
    }
  }
  const said = await storeStats(opened(), (error) => {
    uncounted = { error }
  })
  await progress.clear()
  return { ...byRole(said), sessions: said.sessions, unreadable, ...(await tally.use()) }
}

/** Undefined when the session was removed meanwhile. */
async function opening(
  context: CommandContext,
  sessions: Sessions,
  key: string,
  tally: DiskTally,
): Promise<Session | Failure | undefined> {
  return ofSession(context, key, async () => {
    if (!(await sessions.storage.stat(key))) return undefined
    const session = await (await readOnlyManager(sessions, key)).open(key, { access: "read" })
    try {
      await tally.add(session, key)
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  })
}

function byRole<Counted extends Said>({
  messages: roles,
  ...said
}: Counted): Omit<Counted, "messages"> & {
  messages: number
  roles: Record<string, number>
} {
  return { messages: Object.values(roles).reduce((sum, count) => sum + count, 0), roles, ...said }
}
