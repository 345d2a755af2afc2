import { createHash } from "node:crypto"
import { join } from "node:path"
import { INDEX_VERSION } from "@treelog/index-sqlite"
import { cacheFolderOf, type Env } from "@treelog/storage-fs"
import type { OpenStore } from "./open-store.js"

type Store = Pick<OpenStore, "files" | "agent" | "address">

/** Hexadecimal digits of a file name. */
const DIGITS = 32

/**
 * The path of a store's index, in treelog's own cache folder: nothing is written to the store. With the version of its tables, so that two
 * releases do not rebuild each other's index. An absolute path.
 */
export function indexPath(env: Env, store: Store): string {
  const name = createHash("sha256")
    .update(JSON.stringify(storeParts(store)))
    .digest("hex")
    .slice(0, DIGITS)
  return join(cacheFolderOf(env), "indexes", `${name}-v${INDEX_VERSION}.db`)
}

function storeParts({ files, agent, address }: Store): string[] {
  if (files) return ["files", address]
  return agent === undefined ? ["database", address] : [agent, address]
}
