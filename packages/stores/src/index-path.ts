import { join } from "node:path"
import { INDEX_VERSION } from "@treelog/index-sqlite"
import { cacheFolderOf, type Env } from "@treelog/storage-fs"

/**
 * The path of the index of all stores, in treelog's own cache folder: nothing is written to the stores. With the version of its tables, so that two
 * releases do not rebuild each other's index. An absolute path.
 */
export function indexPath(env: Env): string {
  return join(cacheFolderOf(env), `index-v${INDEX_VERSION}.db`)
}
