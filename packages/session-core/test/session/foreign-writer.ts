import type { Lease, LeaseOptions } from "@treelog/session-core/adapter"
import { bytesOf } from "@treelog-internal/test-kit"
import { AsyncMemoryStorage } from "../async-memory-storage.js"

type Pieces = Parameters<typeof bytesOf>

/** A memory storage that can also be written as an editor writes a file: without a lease, whoever holds one. */
export class OpenMemoryStorage extends AsyncMemoryStorage {
  readonly #bare = new Map<string, Lease>()

  /** Leases are free for all in this storage: exclusion is not what it is for. */
  override async lease(key: string, options: LeaseOptions): Promise<Lease> {
    const shared = this.#bare.get(key) ?? (await super.lease(key, options))
    this.#bare.set(key, shared)
    return new Proxy(shared, {
      get: (lease, name) => {
        if (name === "release") return async () => {}
        const member = Reflect.get(lease, name, lease)
        return typeof member === "function" ? member.bind(lease) : member
      },
    })
  }

  /** In one step, so that no write of a session comes between reading the size and appending. */
  async foreignAppend(key: string, ...pieces: Pieces): Promise<void> {
    const bytes = bytesOf(...pieces)
    await this.transact(key, "append", "readwrite", async (table) => {
      const object = await table.get(key)
      if (!object) throw new Error(`nothing is stored at ${key}`)
      await table.addBytes(object.stat, [bytes])
      const { size, modified, identity } = object.stat
      table.put(key, { ...object, stat: { size: size + bytes.length, modified: modified + 1, identity } })
    })
    this.changed(key)
  }

  /** Puts another object in the place of the one that is stored. */
  async foreignReplace(key: string, ...pieces: Pieces): Promise<void> {
    const expected = await this.stat(key)
    if (!expected) throw new Error(`nothing is stored at ${key}`)
    const lease = await this.lease(key, { access: "exclusive", waitMs: 0 })
    await lease.replace([bytesOf(...pieces)], { expected })
  }

  async foreignCreate(key: string, ...pieces: Pieces): Promise<void> {
    await (await this.lease(key, { access: "exclusive", waitMs: 0 })).create([bytesOf(...pieces)])
  }

  async foreignRemove(key: string): Promise<void> {
    await (await this.lease(key, { access: "exclusive", waitMs: 0 })).remove()
  }
}
