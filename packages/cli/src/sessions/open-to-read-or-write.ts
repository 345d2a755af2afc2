import type { Session } from "@treelog/session-core"
import { followMoves } from "@treelog/session-core/adapter"
import { plural } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import type { Sessions } from "../store/command-sessions.js"
import { requireWritable } from "../store/require-files.js"
import { readOnlyManager, writingManager } from "../store/session-blobs.js"
import { findSession, findToRead } from "./find-session.js"
import { openLibrary } from "./open-library.js"

export const READING = "Reading the session"

/** A session that was found, as far as it takes to open it. */
export interface StoredSession {
  readonly source: { readonly sessions: Sessions }
  readonly key: string
}

/** Finds a session, by default the newest, and opens it without writing a byte. */
export async function openForReading(context: CommandContext, ref?: string): Promise<Session> {
  return openFound(context, await findToRead(context, ref))
}

/** Opens a session without writing a byte, and reports on stderr when a part of it could not be read. */
export async function openFound(context: CommandContext, { source, key }: StoredSession): Promise<Session> {
  const opening = readOnlyManager(source.sessions, key).then((manager) => manager.open(key, { access: "read" }))
  const session = await new Progress(context).during(opening, () => READING)
  const { length } = session.getDiagnostics()
  if (length > 0) await context.log(`${plural(length, "note")} on this session: \`treelog verify\` names them.`)
  return session
}

type Work<Result> = (session: Session) => Result | Promise<Result>

/**
 * Opens an existing session exclusively for writing, and closes it afterwards: with everything on disk if the work
 * succeeds, with nothing more written if it fails or is interrupted.
 * @param meant a reference, or a session that was found
 */
export function withSession<Result>(
  context: CommandContext,
  meant: string | StoredSession,
  work: Work<Result>,
): Promise<Result> {
  return withNewSession(
    context,
    () => (typeof meant === "string" ? openMoving(context, meant) : openToWrite(meant, meant.key)),
    work,
  )
}

/** Makes a session, does the work on it, and closes it. */
export function withNewSession<Result>(
  context: CommandContext,
  make: () => Promise<Session>,
  work: Work<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    const session = await new Progress(context).during(make(), () => READING)
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

/** Opens what a reference means, also where another process moves it meanwhile. */
async function openMoving(context: CommandContext, ref: string): Promise<Session> {
  const library = await openLibrary(context)
  let found: StoredSession | undefined
  return followMoves(
    async () => {
      found = await findSession(context, ref, library)
      return found.key
    },
    () => openToWrite(found as StoredSession, ref),
  )
}

async function openToWrite({ source: { sessions }, key }: StoredSession, ref: string): Promise<Session> {
  requireWritable(sessions, ref)
  return (await writingManager(sessions, key)).open(key, { access: "exclusive" })
}
