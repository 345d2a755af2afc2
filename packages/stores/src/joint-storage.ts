import type { SessionStorage } from "@treelog/session-core"
import type {
  FoundSession,
  Lease,
  LeaseOptions,
  ListFilter,
  NewestSessions,
  SessionArtifact,
  SessionPlace,
  StorageStat,
  StoredName,
  StoredRanges,
  SummaryCache,
  SummaryState,
} from "@treelog/session-core/adapter"

/**
 * Several storages as one: lists have the sessions of all, and what is read or written goes to the storage that the session is in. New
 * sessions go to the first. Keys of the storages must differ, as paths do. A storage without `openRanges` cannot be part of it.
 */
export class JointStorage implements SessionStorage {
  readonly supports = { writes: true, artifacts: true, expires: false }
  readonly summaries: SummaryCache
  readonly #parts: readonly SessionStorage[]
  readonly #only: string | undefined
  /** The storage of each key that was listed. */
  readonly #owners = new Map<string, SessionStorage>()

  /** @param only lists just this one, of the first storage */
  constructor(parts: readonly [SessionStorage, ...SessionStorage[]], only?: string) {
    this.#parts = parts
    this.#only = only
    this.summaries = {
      scan: (filter) => this.#scan(filter),
      newest: (filter, limit, version) => this.#newest(filter, limit, version),
      find: async (key) => {
        const owner = this.ownerOf(key)
        return owner.summaries ? owner.summaries.find(key) : { key }
      },
      put: (key: string, stat: StorageStat, state: SummaryState) => this.ownerOf(key).summaries?.put(key, stat, state),
      flush: async () => {
        for (const { summaries } of parts) await summaries?.flush()
      },
    }
  }

  /** The storage that a session was listed or found in; of another key, the first. */
  ownerOf(key: string): SessionStorage {
    return this.#owners.get(key) ?? (this.#parts[0] as SessionStorage)
  }

  /** Names the storage of a key that was not listed. */
  assign(key: string, part: SessionStorage): void {
    this.#owners.set(key, part)
  }

  keyFor(place: SessionPlace): string {
    return (this.#parts[0] as SessionStorage).keyFor(place)
  }

  keyFromRef(ref: string): string | undefined {
    return (this.#parts[0] as SessionStorage).keyFromRef(ref)
  }

  isInside(key: string): boolean {
    return this.#parts.some((part) => part.isInside?.(key))
  }

  folderOf(key: string): string {
    return this.ownerOf(key).folderOf(key)
  }

  stat(key: string): Promise<StorageStat | undefined> {
    return this.ownerOf(key).stat(key)
  }

  async *list(filter?: ListFilter): AsyncGenerator<StoredName> {
    if (this.#only !== undefined) yield { key: this.#only }
    else for (const part of this.#parts) yield* this.#seen(part, part.list(filter))
  }

  async *find(id: string, options?: Pick<ListFilter, "signal">): AsyncGenerator<StoredName> {
    for (const part of this.#parts) yield* this.#seen(part, part.find(id, options))
  }

  /** The same storage, in which an id means the newest of the copies that have it. */
  withNewestCopies(): JointStorage {
    const [first, ...rest] = this.#parts
    return new NewestCopies([first as SessionStorage, ...rest])
  }

  readRange(key: string, ...range: [number, number, string?, Uint8Array?]): Promise<Uint8Array> {
    return this.ownerOf(key).readRange(key, ...range)
  }

  async openRanges(key: string, identity: string): Promise<StoredRanges> {
    const owner = this.ownerOf(key)
    if (owner.openRanges) return owner.openRanges(key, identity)
    throw new TypeError(`The storage of ${key} has no openRanges.`)
  }

  lease(key: string, options: LeaseOptions): Promise<Lease> {
    return this.ownerOf(key).lease(key, options)
  }

  async *artifacts(key: string): AsyncGenerator<SessionArtifact> {
    yield* this.ownerOf(key).artifacts?.(key) ?? []
  }

  async *watch(key: string, signal: AbortSignal): AsyncGenerator<void> {
    yield* this.ownerOf(key).watch?.(key, signal) ?? []
  }

  async *#seen(part: SessionStorage, names: AsyncIterable<StoredName>): AsyncGenerator<StoredName> {
    for await (const name of names) {
      this.#owners.set(name.key, part)
      yield name
    }
  }

  async *#scan(filter?: ListFilter): AsyncGenerator<readonly FoundSession[]> {
    if (this.#only !== undefined) {
      const found = await this.summaries.find(this.#only)
      if (found) yield [found]
      return
    }
    for (const part of this.#parts)
      if (part.summaries)
        for await (const batch of part.summaries.scan(filter)) {
          for (const { key } of batch) this.#owners.set(key, part)
          yield batch
        }
      else for await (const name of this.#seen(part, part.list(filter))) yield [name]
  }

  /** Undefined, which means a scan of all, unless each part has an index of its own. */
  async #newest(filter: ListFilter, limit: number, version: number): Promise<NewestSessions | undefined> {
    if (this.#only !== undefined) return undefined
    const sessions: FoundSession[] = []
    let leftOut: NewestSessions["leftOut"]
    for (const part of this.#parts) {
      const found = await part.summaries?.newest?.(filter, limit, version)
      if (!found) return undefined
      for (const session of found.sessions) {
        this.#owners.set(session.key, part)
        sessions.push(session)
      }
      if (found.leftOut && (!leftOut || isBefore(found.leftOut, leftOut))) leftOut = found.leftOut
    }
    return { sessions, leftOut }
  }
}

/** Newest first; of the same time, by key. */
function isBefore(a: NonNullable<NewestSessions["leftOut"]>, b: typeof a): boolean {
  return a.modified > b.modified || (a.modified === b.modified && a.key < b.key)
}

class NewestCopies extends JointStorage {
  override async *find(id: string, options?: Pick<ListFilter, "signal">): AsyncGenerator<StoredName> {
    let newest: { readonly name: StoredName; readonly modified: number } | undefined
    for await (const name of super.find(id, options)) {
      if (name.id !== id) {
        yield name
        continue
      }
      const found = await this.summaries.find(name.key)
      const modified = found?.cached?.state.modified ?? found?.stat?.modified ?? 0
      if (!newest || modified > newest.modified) newest = { name, modified }
    }
    if (newest) yield newest.name
  }
}
