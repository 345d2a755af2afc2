import { isTreelogError, MemorySessionStorage, TreelogError } from "@treelog/session-core"
import type { LeaseOptions, StorageStat, SyncLease } from "@treelog/session-core/adapter"
import { bytesOf, textOf } from "../session-text.js"

/**
 * A memory storage that programs without a lease can write to, as an editor, `rm` or pi would. Leases exclude
 * each other as everywhere; one that waits waits until the lease is released.
 */
export class ContestedStorage extends MemorySessionStorage {
  /** The leases that are held, by key. */
  readonly held = new Map<string, { readonly released: Promise<void>; readonly release: () => void }>()
  /** The real ones: taken once, and used by the holder of the lease of this storage, and by writers without one. */
  readonly #bare = new Map<string, SyncLease>()
  readonly #waiting = new Set<() => void>()
  readonly #onRemove: (key: string) => void

  /** @param options with `writesSync`, it writes without promises, as files are written; otherwise as a database is */
  constructor({ writesSync, onRemove }: { writesSync: boolean; onRemove: (key: string) => void }) {
    super()
    this.#onRemove = onRemove
    if (!writesSync) Object.assign(this, { leaseSync: undefined })
  }

  /** Ends the patience of all who wait for a lease. False where none waits. */
  endWaits(): boolean {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const end of waiting) end()
    return waiting.length > 0
  }

  override async lease(key: string, { waitMs }: LeaseOptions): Promise<SyncLease> {
    let isPatient = waitMs > 0
    let end = () => {}
    const patience = new Promise<void>((resolve) => {
      end = () => {
        isPatient = false
        resolve()
      }
    })
    for (let holder = this.held.get(key); holder && isPatient; holder = this.held.get(key)) {
      this.#waiting.add(end)
      await Promise.race([holder.released, patience])
      this.#waiting.delete(end)
    }
    return this.#take(key)
  }

  override leaseSync(key: string): SyncLease {
    return this.#take(key)
  }

  #take(key: string): SyncLease {
    if (this.held.has(key)) {
      const data = { key, pid: 0, host: "contested", since: new Date(0).toISOString() }
      throw new TreelogError("SessionBusyError", `The session ${key} is held for writing`, data)
    }
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    this.held.set(key, { released, release })
    let isReleased = false
    const free = () => {
      if (!isReleased) this.#free(key)
      isReleased = true
    }
    const own = {
      release: async () => free(),
      releaseSync: free,
    }
    return new Proxy(this.#bareLease(key), {
      get: (lease, name) => {
        if (Object.hasOwn(own, name)) return Reflect.get(own, name)
        const member: unknown = Reflect.get(lease, name, lease)
        if (typeof member !== "function") return member
        const called = (...args: unknown[]): unknown => {
          if (isReleased) {
            const data = { key, operation: String(name), errno: undefined }
            throw new TreelogError("StorageError", `The lease of ${key} was released`, data)
          }
          if (name === "remove") this.#onRemove(key)
          return Reflect.apply(member, lease, args)
        }
        return String(name).endsWith("Sync") ? called : async (...args: unknown[]) => called(...args)
      },
    })
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
  async #foreign(key: string, work: (bare: SyncLease, stat: StorageStat) => Promise<unknown>): Promise<boolean> {
    const bare = this.#bareLease(key)
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

  #free(key: string): void {
    const holder = this.held.get(key)
    this.held.delete(key)
    holder?.release()
  }

  #bareLease(key: string): SyncLease {
    const known = this.#bare.get(key)
    if (known) return known
    const lease = super.leaseSync(key)
    this.#bare.set(key, lease)
    return lease
  }
}
