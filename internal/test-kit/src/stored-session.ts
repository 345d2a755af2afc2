import { MemorySessionStorage } from "@treelog/session-core"
import type { Lease, StorageStat } from "@treelog/session-core/adapter"
import { bytesOf } from "./session-text.js"

/** A session in memory that another program writes while it is read. */
export class StoredSession {
  readonly storage = new MemorySessionStorage()
  readonly key = "memory:/home/dev/shop/live"
  #lease: Lease | undefined
  #stat: StorageStat | undefined

  async store(text: string): Promise<void> {
    this.#lease ??= await this.storage.lease(this.key, { access: "exclusive", waitMs: 0 })
    this.#stat = await this.#lease.create([bytesOf(text)])
  }

  async append(text: string): Promise<void> {
    if (!this.#lease || !this.#stat) throw new Error("Nothing is stored.")
    this.#stat = await this.#lease.append(bytesOf(text), this.#stat)
  }

  async replace(text: string): Promise<void> {
    if (!this.#lease || !this.#stat) throw new Error("Nothing is stored.")
    const { stat } = await this.#lease.replace([bytesOf(text)], { expected: this.#stat })
    this.#stat = stat
  }
}
