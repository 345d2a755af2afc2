import type { SessionStorage } from "@treelog/session-core"
import { listSessions, type StoredName } from "@treelog/session-core/adapter"
import { type ShortIds, shortSessionIds } from "../render/short-ids.js"

/** The ids of a store, as file names show them. */
export class StoredIds {
  readonly #ids: string[] = []
  #isNamed = true

  see({ id }: Pick<StoredName, "id">): void {
    if (id === undefined) this.#isNamed = false
    else this.#ids.push(id)
  }

  /** Sees all that the storage names. */
  async seeAll(storage: SessionStorage): Promise<void> {
    for await (const name of storage.list()) if (!name.error) this.see(name)
  }

  /** What has to be shown of each; when a file name has no id, the session is read. */
  async short(storage: SessionStorage): Promise<ShortIds> {
    if (!this.#isNamed) for await (const { id } of listSessions(storage, undefined)) this.#ids.push(id)
    return shortSessionIds(this.#ids)
  }
}
