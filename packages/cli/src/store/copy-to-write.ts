import type { SessionStorage } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"
import { commandSessions, type Sessions } from "./command-sessions.js"
import { CopyStorage } from "./copy-storage.js"
import { isWritableStore, requireWritable } from "./require-files.js"
import { managerWith, storedBlobs } from "./session-blobs.js"

/** The store that new sessions go to; treelog's own where that one can only be read. */
export async function defaultSessions(context: CommandContext): Promise<Sessions<SessionStorage>> {
  // No option: whatever store the command was to work on.
  const sessions = await commandSessions(context, {})
  if (isWritableStore(sessions)) return sessions
  const own = await commandSessions(context, { store: "treelog" })
  requireWritable(own)
  return own
}

/**
 * Sessions that are read where they are, and whose copies go to their store; or, where that can only be read, to the store of new sessions,
 * which stderr says.
 * @param key of the session that is copied
 */
export async function withWritableCopies(
  context: CommandContext,
  sessions: Sessions,
  key: string,
): Promise<Sessions<SessionStorage>> {
  if (isWritableStore(sessions)) return sessions
  const target = await defaultSessions(context)
  const storage = new CopyStorage(target.storage, sessions.storage, key)
  await context.log(`The sessions of ${sessions.agent} are only read: the copy goes to ${target.address}.`)
  const { files, blobs, projectOf } = target
  const manager = async () => managerWith({ storage, projectOf }, await storedBlobs({ blobs, files })?.open())
  return { ...sessions, storage, files, agent: undefined, projectOf, manager }
}
