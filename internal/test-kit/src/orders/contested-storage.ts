import { isTreelogError, MemorySessionStorage } from "@treelog/session-core"
import type { Hold, Lease, LeaseOptions, StorageStat, SyncLease } from "@treelog/session-core/adapter"
import { bytesOf, textOf } from "../session-text.js"

const NOTHING_HELD: Hold = { renew: () => true, release: async () => {}, releaseSync: () => {} }

/**
 * A memory storage that programs without a lease can write to, as an editor, `rm` or pi would. Leases exclude
 * each other as everywhere; one that waits waits until the lease is released.
 */
export class ContestedStorage extends MemorySessionStorage {
  /** The keys of the leases that are held. */
  readonly held = new Set<string>()
  readonly #waiting: Set<() => void>
  readonly #onRemove: (key: string) => void
  /** Whether a lease that is taken excludes no others. */
  #isForeign = false

  /** @param options with `writesSync`, it writes without promises, as files are written; otherwise as a database is */
  constructor({ writesSync, onRemove }: { writesSync: boolean; onRemove: (key: string) => void }) {
    const waiting = new Set<() => void>()
    super({ sleep: () => new Promise((end) => waiting.add(end)) })
    this.#waiting = waiting
    this.#onRemove = onRemove
    if (!writesSync) Object.assign(this, { leaseSync: undefined })
  }

  /** Ends the patience of all who wait for a lease. False where none has waited since the last time. */
  endWaits(): boolean {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const end of waiting) end()
    return waiting.length > 0
  }

  override async lease(key: string, options: LeaseOptions): Promise<Lease> {
    return this.#sayingRemovals(await super.lease(key, options))
  }

  override leaseSync(key: string): SyncLease {
    return this.#sayingRemovals(super.leaseSync(key))
  }

  #sayingRemovals<Any extends Lease>(lease: Any): Any {
    const remove = lease.remove.bind(lease)
    lease.remove = () => {
      this.#onRemove(lease.key)
      return remove()
    }
    return lease
  }

  protected override async take(key: string, waitMs: number): Promise<Hold> {
    return this.#noted(key, await super.take(key, waitMs))
  }

  protected override takeSync(key: string): Hold {
    return this.#isForeign ? NOTHING_HELD : this.#noted(key, super.takeSync(key))
  }

  #noted(key: string, hold: Hold): Hold {
    this.held.add(key)
    const releaseSync = () => {
      this.held.delete(key)
      hold.releaseSync?.()
    }
    return { ...hold, release: async () => releaseSync(), releaseSync }
  }

  /** Appends without a lease. False where nothing is stored. @param lineAfter the new line, for what is stored */
  foreignAppend(key: string, lineAfter: (text: string) => object): Promise<boolean> {
    return this.#foreign(key, async (bare, stat) => {
      const line = lineAfter(textOf(await this.readRange(key, 0, stat.size)))
      await bare.append(bytesOf(`${JSON.stringify(line)}\n`), stat)
    })
  }

  /** Puts a copy in the place of what is stored. */
  foreignReplace(key: string): Promise<boolean> {
    return this.#foreign(key, async (bare, expected) =>
      bare.replace([await this.readRange(key, 0, expected.size)], { expected }),
    )
  }

  foreignRemove(key: string): Promise<boolean> {
    return this.#foreign(key, (bare) => {
      this.#onRemove(key)
      return bare.remove()
    })
  }

  /** Done again where the session changes in the middle of it. */
  async #foreign(key: string, work: (bare: Lease, stat: StorageStat) => Promise<unknown>): Promise<boolean> {
    const bare = this.#leaseWithoutHold(key)
    for (;;) {
      const stat = await this.stat(key)
      if (!stat) return false
      try {
        await work(bare, stat)
        return true
      } catch (error) {
        if (!isTreelogError(error, "SessionChangedError")) throw error
      }
    }
  }

  #leaseWithoutHold(key: string): Lease {
    this.#isForeign = true
    try {
      return super.leaseSync(key)
    } finally {
      this.#isForeign = false
    }
  }
}
