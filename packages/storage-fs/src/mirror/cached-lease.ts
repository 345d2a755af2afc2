import type { StorageStat } from "@treelog/session-core"
import type { Chunks, Lease } from "@treelog/session-core/adapter"

/** What a lease reports to its storage. */
export interface WriteObserver {
  /** The bytes were appended to an object of the expected state, and made it the new one. */
  appended(key: string, bytes: Uint8Array, expected: StorageStat, stat: StorageStat): void
  /** The object under the key is a new one. */
  stored(key: string, stat: StorageStat): Promise<void>
  /** The object has another key. */
  moved(from: string, to: string): Promise<void>
  /** Nothing is stored under the key any more. */
  removed(key: string): Promise<void>
}

/** The lease of the remote storage. What it has written is reported. */
export class CachedLease implements Lease {
  readonly #remote: Lease
  readonly #observer: WriteObserver

  constructor(remote: Lease, observer: WriteObserver) {
    this.#remote = remote
    this.#observer = observer
  }

  get key(): string {
    return this.#remote.key
  }

  async create(chunks: Chunks, options?: { artifactsFrom?: string }): Promise<StorageStat> {
    const stat = await this.#remote.create(chunks, options)
    await this.#observer.stored(this.key, stat)
    return stat
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    const own = new Uint8Array(bytes)
    const stat = await this.#remote.append(own, expected)
    this.#observer.appended(this.key, own, expected, stat)
    return stat
  }

  sync(): Promise<void> {
    return this.#remote.sync()
  }

  async replace(
    chunks: Chunks,
    options: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    const replaced = await this.#remote.replace(chunks, options)
    await this.#observer.stored(this.key, replaced.stat)
    return replaced
  }

  async move(to: string): Promise<void> {
    const from = this.key
    await this.#remote.move(to)
    await this.#observer.moved(from, to)
  }

  async quarantine(suffix: string): Promise<string> {
    const name = await this.#remote.quarantine(suffix)
    await this.#observer.removed(this.key)
    return name
  }

  async remove(): Promise<void> {
    await this.#remote.remove()
    await this.#observer.removed(this.key)
  }

  release(): Promise<void> {
    return this.#remote.release()
  }
}
