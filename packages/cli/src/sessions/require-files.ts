import { TreelogError } from "@treelog/session-core"
import type { FileStore, OpenStore } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { Sessions } from "./command-sessions.js"

/**
 * The files of a store, for what only they have.
 * @param what the command or option that needs them
 * @param instead why, and what to do with a store on a server
 * @throws UsageError where sessions are no files; ReadOnlyStorageError for those of another agent
 */
export function requireFiles(
  store: Pick<Sessions | OpenStore, "files" | "agent" | "address">,
  what: string,
  instead: string,
): FileStore {
  const { files, address } = store
  if (files) return files
  requireWritable(store)
  throw new UsageError(`${what} is for stores of files, and ${address} is a database: ${instead}.`, { store: address })
}

/** @throws ReadOnlyStorageError for the sessions of another agent, before a command changes anything */
export function requireWritable({ agent, address }: Pick<OpenStore, "agent" | "address">): void {
  if (agent === undefined) return
  const instead = `treelog import --from ${agent} ID`
  const message = `The sessions of ${agent} are only read: ${address}. \`treelog resume ID\` continues one in ${agent}, and --with pi in a copy; to change a copy, import it: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
}
