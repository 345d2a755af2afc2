import type { SessionSource, SessionStorage } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"
import { commandSessions, isWritableStore, requireWritable, type Sessions } from "./command-sessions.js"

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
  const storage = copyStorage(target.storage, sessions.storage, key)
  await context.log(`The sessions of ${sessions.agent} are only read: the copy goes to ${target.address}.`)
  const { files, blobs, projectOf } = target
  return { ...sessions, storage, files, agent: undefined, projectOf, blobs }
}

/**
 * Where a session is copied to a storage: that one session is read where it is, and all else is in the storage.
 * @param copied the key in the origin: no key of the target
 */
function copyStorage(target: SessionStorage, origin: SessionSource, copied: string): SessionStorage {
  const of = (key: string): SessionSource => (key === copied ? origin : target)
  return {
    leasesExpire: target.leasesExpire,
    addArtifacts: undefined,
    breadcrumbs: undefined,
    watch: undefined,
    keyFor: (place) => target.keyFor(place),
    keyFromRef: (ref) => (ref === copied ? ref : target.keyFromRef(ref)),
    list: (...filter) => target.list(...filter),
    find: (...asked) => target.find(...asked),
    lease: (key, options) => target.lease(key, options),
    folderOf: (key) => of(key).folderOf(key),
    stat: (key) => of(key).stat(key),
    statContent: (key) => of(key).statContent?.(key) ?? of(key).stat(key),
    artifacts: (key) => of(key).artifacts(key),
    parts: (key) => of(key).parts(key),
    readRange: (...range) => of(range[0]).readRange(...range),
    openRanges(key, identity) {
      const source = of(key)
      if (source.openRanges) return source.openRanges(key, identity)
      throw new TypeError(`The source of ${key} has no openRanges.`)
    },
  }
}
