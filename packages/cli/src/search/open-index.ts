import { SqliteSessionIndex } from "@treelog/index-sqlite"
import type { OpenStore } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { indexPath } from "./index-path.js"

/** The index of a store, which is closed when the command ends. Opens nothing yet. */
export function openIndex(context: CommandContext, store: OpenStore): SqliteSessionIndex {
  const index = new SqliteSessionIndex({
    storage: store.storage,
    path: indexPath(context.io, store),
    onQuarantine: (movedTo) => {
      const data = { key: movedTo, operation: "read", errno: undefined }
      context.warn(
        { code: "StorageError", data },
        `The index of sessions was damaged and is built again; see ${movedTo}.`,
      )
    },
  })
  context.resources.onEnd(() => index.close())
  return index
}
