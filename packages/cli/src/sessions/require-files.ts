import { UsageError } from "../errors/usage-error.js"
import type { Sessions } from "./compose-sessions.js"
import type { FileStore, OpenStore } from "./open-store.js"

/**
 * The files of a store, for what only they have.
 * @param what the command or option that needs them
 * @param instead why, and what to do with a store on a server
 * @throws UsageError where sessions are no files
 */
export function requireFiles(
  { files, address }: Pick<Sessions | OpenStore, "files" | "address">,
  what: string,
  instead: string,
): FileStore {
  if (files) return files
  throw new UsageError(`${what} is for stores of files, and ${address} is a database: ${instead}.`, { store: address })
}
