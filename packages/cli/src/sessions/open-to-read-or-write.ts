import type { Session } from "@treelog/session-core"
import { followMoves } from "@treelog/session-core/adapter"
import { plural } from "@treelog-internal/text"
import { readOnlyManager, writingManager } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { commandSessions, type Sessions } from "./command-sessions.js"
import { NEWEST } from "./newest.js"
import { requireWritable } from "./require-files.js"
import { existingSessionKey, READING } from "./resolve-session.js"

/** Opens a session without writing a byte, and reports on stderr when a part of it could not be read. */
export async function openForReading(context: CommandContext, ref = NEWEST): Promise<Session> {
  const opening = async (): Promise<Session> => {
    const sessions = await commandSessions(context)
    const key = await existingKey(sessions, ref)
    return (await readOnlyManager(sessions, key)).open(key, { access: "read" })
  }
  const session = await new Progress(context).during(opening(), () => READING)
  const { length } = session.getDiagnostics()
  if (length > 0) await context.log(`${plural(length, "note")} on this session: \`treelog verify\` names them.`)
  return session
}

type Work<Result> = (session: Session) => Result | Promise<Result>

/**
 * Opens an existing session exclusively for writing, and closes it afterwards: with everything on disk if the work
 * succeeds, with nothing more written if it fails or is interrupted.
 */
export function withSession<Result>(context: CommandContext, ref: string, work: Work<Result>): Promise<Result> {
  return withNewSession(context, (sessions) => openExisting(sessions, ref), work)
}

/** The same for a session that is made first. */
export function withNewSession<Result>(
  context: CommandContext,
  make: (sessions: Sessions) => Promise<Session>,
  work: Work<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    const making = commandSessions(context).then(make)
    const session = await new Progress(context).during(making, () => READING)
    try {
      context.io.interrupted.throwIfAborted()
      const result = await work(session)
      await session.close()
      return result
    } catch (error) {
      await session.discard()
      throw error
    }
  }
  return context.hold(worked())
}

async function openExisting(sessions: Sessions, ref: string): Promise<Session> {
  return followMoves(
    () => existingKey(sessions, ref),
    async (key) => {
      requireWritable(sessions, ref)
      return (await writingManager(sessions, key)).open(key, { access: "exclusive" })
    },
  )
}

/** @throws SessionNotFoundError also for a path at which there is nothing */
export function existingKey(sessions: Sessions, ref: string): Promise<string> {
  return existingSessionKey(sessions, ref, sessions.scope)
}
