import { resolve } from "node:path"
import type { Session } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import type { Sessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { findEntry } from "../find-entry.js"
import { existingKey, withNewSession } from "../open-session.js"
import { printNewSession } from "../print-new-session.js"

export interface ForkOptions {
  readonly leaf?: string
  readonly to?: string
}

/** Copies a session: all branches into a folder, or, with an entry, the way to it. The source is only read. */
export async function fork(context: CommandContext, ref: string, { leaf, to }: ForkOptions): Promise<ExitCode> {
  const folder = to === undefined ? undefined : resolve(context.io.cwd, to)
  const make = async (sessions: Sessions): Promise<Session> => {
    const key = await existingKey(sessions, ref)
    if (leaf === undefined) return sessions.manager.forkFrom(key, folder ?? sessions.cwd)
    const copy = await branchOff(sessions, key, leaf)
    return folder === undefined ? copy : moved(sessions, copy, folder)
  }
  await printNewSession(context, await withNewSession(context, make, (session) => session))
  return EXIT.ok
}

/** The way to an entry, as a session of the source's folder. */
async function branchOff({ manager }: Sessions, key: string, leaf: string): Promise<Session> {
  const source = await manager.open(key, { access: "read" })
  return source.createBranchedSession(findEntry(source, leaf))
}

async function moved({ manager }: Sessions, session: Session, folder: string): Promise<Session> {
  await session.close()
  return manager.open(await manager.move(session.getSessionFile() ?? session.getSessionId(), folder), {
    access: "read",
  })
}
