import type { SessionStorage } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import type { Chunks, Lease, LeaseOptions, ListFilter, SessionPlace, StorageStat } from "@treelog/session-core/adapter"
import { textOf } from "@treelog-internal/test-kit"

type Operation = "create" | "append" | "sync" | "replace" | "lease" | "release"

/** A memory storage that counts what is written, fails when the test asks for it, and can make a write wait. Each step is a call of its own, so that each can be observed. */
export class ObservedStorage implements SessionStorage {
  readonly memory = new MemorySessionStorage()
  readonly leasesExpire = false
  readonly addArtifacts = undefined
  readonly breadcrumbs = this.memory.breadcrumbs
  /** What was done through leases, in order. */
  readonly calls: Operation[] = []
  /** The text of each append. */
  readonly appended: string[] = []
  /** Leases that were taken and not released. */
  held = 0
  readonly #failures = new Map<Operation, Error[]>()
  readonly #gates = new Map<Operation, Promise<void>>()

  /** Makes the next call of the operation fail. */
  failNext(operation: Operation, error: Error = new Error("no space left")): void {
    this.#failures.set(operation, [...(this.#failures.get(operation) ?? []), error])
  }

  /** Makes every call of the operation wait until the returned function is called. */
  hold(operation: Operation): () => void {
    let open = () => {}
    this.#gates.set(operation, new Promise<void>((resolve) => (open = resolve)))
    return () => {
      this.#gates.delete(operation)
      open()
    }
  }

  async pass(operation: Operation): Promise<void> {
    this.calls.push(operation)
    await this.#gates.get(operation)
    const error = this.#failures.get(operation)?.shift()
    if (error) throw error
  }

  keyFor = (place: SessionPlace) => this.memory.keyFor(place)
  keyFromRef = (ref: string) => this.memory.keyFromRef(ref)
  folderOf = (key: string) => this.memory.folderOf(key)
  stat = (key: string) => this.memory.stat(key)
  list = (filter?: ListFilter) => this.memory.list(filter)
  find = (id: string) => this.memory.find(id)
  artifacts = () => this.memory.artifacts()
  parts = () => this.memory.parts()
  watch = (key: string, signal: AbortSignal) => this.memory.watch(key, signal)

  readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    return this.memory.readRange(key, offset, length, identity)
  }

  async lease(key: string, options: LeaseOptions): Promise<Lease> {
    await this.pass("lease")
    const lease = await this.memory.lease(key, options)
    this.held += 1
    return new ObservedLease(this, lease)
  }
}

class ObservedLease implements Lease {
  readonly #storage: ObservedStorage
  readonly #lease: Lease

  constructor(storage: ObservedStorage, lease: Lease) {
    this.#storage = storage
    this.#lease = lease
  }

  get key(): string {
    return this.#lease.key
  }

  async create(chunks: Chunks, options?: { artifactsFrom?: string }): Promise<StorageStat> {
    await this.#storage.pass("create")
    return this.#lease.create(chunks, options)
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    await this.#storage.pass("append")
    const stat = await this.#lease.append(bytes, expected)
    this.#storage.appended.push(textOf(bytes))
    return stat
  }

  async sync(): Promise<void> {
    await this.#storage.pass("sync")
    await this.#lease.sync()
  }

  async replace(chunks: Chunks, options: { expected: StorageStat; keepAs?: string }) {
    await this.#storage.pass("replace")
    return this.#lease.replace(chunks, options)
  }

  move = (to: string) => this.#lease.move(to)
  remove = () => this.#lease.remove()

  async release(): Promise<void> {
    await this.#storage.pass("release")
    this.#storage.held -= 1
    await this.#lease.release()
  }
}
