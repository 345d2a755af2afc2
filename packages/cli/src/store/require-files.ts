import { type SessionStorage, TreelogError } from "@treelog/session-core"
import { isWritable } from "@treelog/session-core/adapter"
import type { FileStore, OpenStore } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import { shellWord } from "../io/shell-command.js"
import type { Sessions } from "./command-sessions.js"

/**
 * The files of a store, for what only they have.
 * @param what the command or option that needs them
 * @param instead why, and what to do with a store on a server
 * @throws UsageError where sessions are no files; ReadOnlyStorageError for those of another agent
 */
export function requireFiles(store: OpenStore, what: string, instead: string): FileStore {
  const { files, address } = store
  requireWritable(store)
  if (files) return files
  throw new UsageError(`${what} is for stores of files, and ${address} is a database: ${instead}.`, { store: address })
}

/** Whether sessions of the store can be changed. */
export function isWritableStore(store: Sessions): store is Sessions<SessionStorage> {
  return isWritable(store.storage)
}

/**
 * @param ref of the session that is to be changed
 * @throws ReadOnlyStorageError for the sessions of another agent, before a command changes anything
 */
export function requireWritable(store: Sessions, ref?: string): asserts store is Sessions<SessionStorage>
export function requireWritable(store: OpenStore, ref?: string): asserts store is OpenStore<SessionStorage>
export function requireWritable({ storage, agent, address }: OpenStore, ref = "ID"): void {
  if (isWritable(storage)) return
  if (agent === undefined) {
    const instead = `treelog restore ${shellWord(ref)}`
    const message = `The copies in ${address} are only read: \`${instead}\` puts a session back where its agent had it.`
    throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
  }
  const instead = `treelog import --from ${agent} ${shellWord(ref)}`
  const message = `The sessions of ${agent} are only read: ${address}. \`treelog resume ${shellWord(ref)}\` continues one in ${agent}, and --with pi in a copy; to change a copy, import it: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
}
