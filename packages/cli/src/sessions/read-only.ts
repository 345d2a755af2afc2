import { TreelogError } from "@treelog/session-core"
import type { OpenStore } from "@treelog/stores"

/** @throws ReadOnlyStorageError for the sessions of another agent, before a command changes anything */
export function requireWritable({ agent, address }: Pick<OpenStore, "agent" | "address">): void {
  if (agent === undefined) return
  const instead = `treelog import --from ${agent} ID`
  const message = `The sessions of ${agent} are only read: ${address}. To change one, import it: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
}
