import type { SessionStorage } from "@treelog/session-core"
import { managerWith, storedBlobs } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import { commandSessions, type Sessions } from "./command-sessions.js"
import { CopyStorage } from "./copy-storage.js"
import { isWritableStore, requireWritable } from "./require-files.js"

/** The surroundings of a command that works on the store of new sessions, whatever store it was to work on. */
function inDefaultStore(context: CommandContext): CommandContext {
  const { store: _, agentDir: __, sessionDir: ___, ...options } = context.options
  return context.with(options)
}

/** The store that new sessions go to; treelog's own where that one can only be read. */
export async function defaultSessions(
  asked: CommandContext,
): Promise<{ context: CommandContext; sessions: Sessions<SessionStorage> }> {
  const own = inDefaultStore(asked)
  const sessions = await commandSessions(own)
  if (isWritableStore(sessions)) return { context: own, sessions }
  const context = own.with({ ...own.options, store: "treelog" })
  const treelog = await commandSessions(context)
  requireWritable(treelog)
  return { context, sessions: treelog }
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
  const { sessions: target } = await defaultSessions(context)
  const storage = new CopyStorage(target.storage, sessions.storage, key)
  await context.log(`The sessions of ${sessions.agent} are only read: the copy goes to ${target.address}.`)
  const { files, blobs, projectOf } = target
  const manager = async () => managerWith({ storage, projectOf }, await storedBlobs({ blobs, files })?.open())
  return { ...sessions, storage, files, agent: undefined, projectOf, manager }
}
