import type { FileStore, OpenStore } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { Sessions } from "./command-sessions.js"
import { requireWritable } from "./read-only.js"

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
