import { basename } from "node:path"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { FileSessionStorage, type FileSessionStorageOptions } from "./file-session-storage.js"
import { idOfFileName } from "./session-name.js"
import { isInTrash, originOf } from "./trash/trash-place.js"

/**
 * The sessions in the trash of a storage, to be listed, found by id or name, and read like any others. `FileTrash` takes
 * their keys. It keeps no cache: the trash is seldom listed.
 */
export class TrashedSessionStorage extends FileSessionStorage {
  constructor(options: Omit<FileSessionStorageOptions, "cacheDir"> = {}) {
    super({ ...options, cacheDir: null })
  }

  /** Inside is what lies in the trash of a folder that is. */
  override isInside(key: string): boolean {
    return isInTrash(key) && super.isInside(originOf(key))
  }

  override async *list(filter: ListFilter = {}): AsyncGenerator<StoredName> {
    for await (const { path: key, error } of this.trash.list(filter)) {
      const id = idOfFileName(basename(key))
      yield { key, ...(id !== undefined && { id }), ...(error && { error }) }
    }
  }
}
