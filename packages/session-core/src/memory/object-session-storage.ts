import type { Clock } from "../ports/clock.js"
import type { ListFilter, SessionArtifact, StorageStat, StoredName } from "../ports/session-source.js"
import type { Breadcrumbs, Lease, LeaseOptions, SessionPlace, SessionStorage } from "../ports/session-storage.js"
import { type LeaseHost, ObjectLease } from "./object-lease.js"
import { assertFound, type Hold, type ObjectTable } from "./stored-object.js"

class Changes {
  readonly #listeners = new Set<(key: string) => void>()

  notify(key: string): void {
    for (const listener of this.#listeners) listener(key)
  }

  /** Yields at the start, then once for all the changes since it last yielded, until the signal aborts. */
  async *watch(key: string, signal: AbortSignal): AsyncGenerator<void> {
    let changed = true
    let wake = () => {}
    const abort = () => wake()
    const listener = (changedKey: string) => {
      if (changedKey !== key) return
      changed = true
      wake()
    }
    this.#listeners.add(listener)
    signal.addEventListener("abort", abort)
    try {
      while (!signal.aborted) {
        if (!changed) await new Promise<void>((resolve) => (wake = resolve))
        if (!changed) continue
        changed = false
        yield
      }
    } finally {
      this.#listeners.delete(listener)
      signal.removeEventListener("abort", abort)
    }
  }
}

/**
 * A storage on an `ObjectTable`, for storages in memory and in databases: it has all methods but `transact` and `take`. Keys have
 * the form `<scheme><cwd>/<session id>`, or `<scheme>@<project>/<session id>`.
 */
export abstract class ObjectSessionStorage implements SessionStorage {
  readonly leasesExpire: boolean = false
  readonly addArtifacts = undefined
  readonly breadcrumbs: Breadcrumbs | undefined = undefined
  readonly #scheme: string
  readonly #clock: Clock
  readonly #changes = new Changes()

  protected constructor(scheme: string, clock: Clock) {
    this.#scheme = scheme
    this.#clock = clock
  }

  keyFor({ cwd, id, project }: SessionPlace): string {
    return `${this.#scheme}${project === undefined ? cwd : `@${project}`}/${id}`
  }

  keyFromRef(ref: string): string | undefined {
    return ref.startsWith(this.#scheme) ? ref : undefined
  }

  isInside(key: string): boolean {
    return key.startsWith(this.#scheme)
  }

  folderOf(key: string): string {
    return key.slice(0, key.lastIndexOf("/"))
  }

  async stat(key: string): Promise<StorageStat | undefined> {
    return (await this.transact(key, "stat", "readonly", async (table) => table.get(key)))?.stat
  }

  async *list({ cwd, project, isOfFolder, signal }: ListFilter = {}): AsyncGenerator<StoredName> {
    const groups = project === undefined ? [cwd] : [cwd, `@${project}`]
    for await (const name of this.#names("list", signal)) {
      const group = this.folderOf(name.key).slice(this.#scheme.length)
      const isMeant = cwd === undefined || groups.includes(group) || (!group.startsWith("@") && isOfFolder?.(group))
      if (isMeant) yield name
    }
  }

  async *find(id: string, { signal }: Pick<ListFilter, "signal"> = {}): AsyncGenerator<StoredName> {
    for await (const name of this.#names("find", signal)) if (name.id === id) yield name
  }

  async *#names(operation: string, signal: AbortSignal | undefined): AsyncGenerator<StoredName> {
    signal?.throwIfAborted()
    for (const key of await this.transact(this.#scheme, operation, "readonly", async (table) => table.keys())) {
      signal?.throwIfAborted()
      const folder = this.folderOf(key)
      const group = folder.slice(this.#scheme.length)
      const id = key.slice(folder.length + 1)
      yield group.startsWith("@") ? { key, id, project: group.slice(1) } : { key, id }
    }
  }

  async readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    return this.transact(key, "readRange", "readonly", async (table) => {
      const { stat } = assertFound(key, await table.get(key), identity)
      return table.read(stat, offset, length)
    })
  }

  async lease(key: string, { waitMs }: LeaseOptions): Promise<Lease> {
    return new ObjectLease(this.leaseHost(), key, await this.take(key, waitMs))
  }

  /** What a lease needs of this storage. */
  protected leaseHost(): LeaseHost {
    return {
      transact: <T>(of: string, operation: string, work: (table: ObjectTable) => Promise<T>) =>
        this.transact(of, operation, "readwrite", work),
      take: (other: string) => this.take(other, 0),
      changed: (changed: string) => this.changed(changed),
      now: () => this.#clock.now(),
    }
  }

  async *artifacts(): AsyncGenerator<SessionArtifact> {}

  async *parts(): AsyncGenerator<StoredName> {}

  watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    return this.#changes.watch(key, signal)
  }

  protected changed(key: string): void {
    this.#changes.notify(key)
  }

  /** Runs `work`, which awaits only the table, without other changes in between. The key and the operation are for errors. */
  protected abstract transact<T>(
    key: string,
    operation: string,
    mode: "readonly" | "readwrite",
    work: (table: ObjectTable) => Promise<T>,
  ): Promise<T>

  /** Takes a key for writing. @throws SessionBusyError when another still holds it after `waitMs` */
  protected abstract take(key: string, waitMs: number): Promise<Hold>
}
