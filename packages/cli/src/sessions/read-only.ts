import { TreelogError } from "@treelog/session-core"
import type { OpenStore } from "@treelog/stores"

/** @throws ReadOnlyStorageError for the sessions of another agent, before a command changes anything */
export function requireWritable({ agent, address }: Pick<OpenStore, "agent" | "address">): void {
  if (agent === undefined) return
  const instead = `treelog import --from ${agent} ID`
  const message = `The sessions of ${agent} are only read: ${address}. \`treelog resume ID\` continues one in ${agent}, and --with pi in a copy; to change a copy, import it: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
}
