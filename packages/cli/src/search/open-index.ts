import { createHash } from "node:crypto"
import { join } from "node:path"
import { INDEX_VERSION, SqliteSessionIndex } from "@treelog/index-sqlite"
import { cacheFolderOf } from "@treelog/storage-fs"
import type { OpenStore } from "@treelog/stores"
import { blobsOf } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import type { Io } from "../io/io.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { agentOfStore } from "../sessions/of-agent.js"

/**
 * The index of a store, which is closed when the command ends. Opens nothing yet.
 * @param isKept whether a cache folder that cannot be written is an error: answers come from memory otherwise
 */
export function openIndex(context: CommandContext, store: Sessions, isKept = false): SqliteSessionIndex {
  const path = indexPath(context.io, store)
  const index = new SqliteSessionIndex({
    storage: store.storage,
    blobs: async (key) => blobsOf(store, key)?.open("read"),
    path,
    agent: agentOfStore(context, store),
    ...(!isKept && {
      onUnwritable: (error) => {
        const data = { key: path, operation: "open", errno: undefined }
        const sentence = `The index of sessions cannot be written (${error.message}): it is made in memory, for this command alone.`
        context.warn({ code: "StorageError", data }, sentence)
      },
    }),
    onUnmerged: (error) => {
      const data = { key: path, operation: "update", errno: undefined }
      const sentence = `The index has all sessions, but could not be optimized, so searches take longer: ${error.message}`
      context.warn({ code: "StorageError", data }, sentence)
    },
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

/** Hexadecimal digits of a file name. */
const DIGITS = 32

/**
 * The path of a store's index, in treelog's own cache folder: nothing is written to the store. With the version of its tables, so that two
 * releases do not rebuild each other's index. An absolute path.
 */
export function indexPath({ env }: Pick<Io, "env">, store: Pick<OpenStore, "files" | "agent" | "address">): string {
  const place = JSON.stringify(storeParts(store))
  const name = createHash("sha256").update(place).digest("hex").slice(0, DIGITS)
  return join(cacheFolderOf(env), "indexes", `${name}-v${INDEX_VERSION}.db`)
}

function storeParts({ files, agent, address }: Pick<OpenStore, "files" | "agent" | "address">): string[] {
  if (files) return ["files", address]
  return agent === undefined ? ["database", address] : [agent, address]
}
