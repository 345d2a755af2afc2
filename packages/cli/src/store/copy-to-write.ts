import type { SessionSource, SessionStorage } from "@treelog/session-core"
import type { LeaseOptions, SessionPlace, StoredRanges } from "@treelog/session-core/adapter"
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
  const storage = new CopyStorage(target.storage, sessions.storage, key)
  await context.log(`The sessions of ${sessions.agent} are only read: the copy goes to ${target.address}.`)
  const { files, blobs, projectOf } = target
  return { ...sessions, storage, files, agent: undefined, projectOf, blobs }
}

/** Where a session is copied to a storage: that one session is read where it is, and all else is in the storage. */
class CopyStorage implements SessionStorage {
  readonly leasesExpire: boolean
  readonly addArtifacts = undefined
  readonly breadcrumbs = undefined
  readonly watch = undefined
  readonly #target: SessionStorage
  readonly #origin: SessionSource
  readonly #copied: string

  /** @param copied the key in the origin: no key of the target */
  constructor(target: SessionStorage, origin: SessionSource, copied: string) {
    this.leasesExpire = target.leasesExpire
    this.#target = target
    this.#origin = origin
    this.#copied = copied
  }

  keyFor = (place: SessionPlace) => this.#target.keyFor(place)
  keyFromRef = (ref: string) => (ref === this.#copied ? ref : this.#target.keyFromRef(ref))
  list = (...filter: Parameters<SessionSource["list"]>) => this.#target.list(...filter)
  find = (...asked: Parameters<SessionSource["find"]>) => this.#target.find(...asked)
  lease = (key: string, options: LeaseOptions) => this.#target.lease(key, options)
  folderOf = (key: string) => this.#of(key).folderOf(key)
  stat = (key: string) => this.#of(key).stat(key)
  statContent = (key: string) => this.#of(key).statContent?.(key) ?? this.#of(key).stat(key)
  artifacts = (key: string) => this.#of(key).artifacts(key)
  parts = (key: string) => this.#of(key).parts(key)
  readRange = (...range: Parameters<SessionSource["readRange"]>) => this.#of(range[0]).readRange(...range)

  openRanges(key: string, identity: string): Promise<StoredRanges> {
    const source = this.#of(key)
    if (source.openRanges) return source.openRanges(key, identity)
    throw new TypeError(`The source of ${key} has no openRanges.`)
  }

  #of(key: string): SessionSource {
    return key === this.#copied ? this.#origin : this.#target
  }
}
