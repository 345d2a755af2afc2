import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { indexPath } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { blobsOf, type Sessions } from "../store/command-sessions.js"

/**
 * The index of some stores, which is closed when the command ends. Opens nothing yet.
 * @param isKept whether a cache folder that cannot be written is an error: answers come from memory otherwise
 */
export function openIndex(context: CommandContext, stores: readonly Sessions[], isKept = false): SqliteSessionIndex {
  const path = indexPath(context.io.env)
  const index = new SqliteSessionIndex({
    sources: stores.map((store) => ({
      name: store.address,
      storage: store.storage,
      blobs: async (key) => blobsOf(store, key)?.read(),
      agent: store.madeBy,
    })),
    path,
    ...(!isKept && {
      onUnwritable: (error) => {
        const data = { key: path, operation: "open", errno: undefined }
        const sentence = `The index of sessions cannot be written (${error.message}): it is made in memory, for this command alone.`
        context.warn({ code: "StorageError", data }, sentence)
      },
    }),
    onDamaged: () => {
      const data = { key: path, operation: "read", errno: undefined }
      context.warn({ code: "StorageError", data }, `The index of sessions ${path} was damaged, and is built again.`)
    },
  })
  context.onEnd(() => index.close())
  return index
}
