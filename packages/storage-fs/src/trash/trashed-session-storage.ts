import { basename } from "node:path"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { FileSessionStorage } from "../file-session-storage.js"
import { idOfFileName } from "../place/session-name.js"
import { isInTrash, originOf } from "./trash-place.js"

/** The sessions in the trash of a storage, to be listed, found by id or name, and read like any others. `FileTrash` takes their keys. */
export class TrashedSessionStorage extends FileSessionStorage {
  protected override readonly sessionsAre = "trash"

  /** Inside is what lies in the trash of a folder that is. */
  override isInside(key: string): boolean {
    return isInTrash(key) && super.isInside(originOf(key))
  }

  protected override async *names(filter: ListFilter): AsyncGenerator<readonly StoredName[]> {
    for await (const { path: key, error } of this.trash.list(filter)) {
      const id = idOfFileName(basename(key))
      yield [{ key, ...(id !== undefined && { id }), ...(error && { error }) }]
    }
  }
}
