import type { SessionStorage } from "@treelog/session-core"
import type {
  Lease,
  LeaseOptions,
  SessionArtifact,
  SessionPlace,
  StorageStat,
  StoredName,
  StoredRanges,
} from "@treelog/session-core/adapter"

/** Where a session is copied to another storage: that one session is read where it is, and all else is in the other storage. */
export class CopyStorage implements SessionStorage {
  readonly supports: SessionStorage["supports"]
  readonly #target: SessionStorage
  readonly #origin: SessionStorage
  readonly #copied: string

  /** @param copied the key in the origin: no key of the target */
  constructor(target: SessionStorage, origin: SessionStorage, copied: string) {
    this.supports = target.supports
    this.#target = target
    this.#origin = origin
    this.#copied = copied
  }

  keyFor(place: SessionPlace): string {
    return this.#target.keyFor(place)
  }

  keyFromRef(ref: string): string | undefined {
    return ref === this.#copied ? ref : this.#target.keyFromRef(ref)
  }

  folderOf(key: string): string {
    return this.#of(key).folderOf(key)
  }

  stat(key: string): Promise<StorageStat | undefined> {
    return this.#of(key).stat(key)
  }

  list(...filter: Parameters<SessionStorage["list"]>): AsyncIterable<StoredName> {
    return this.#target.list(...filter)
  }

  find(...asked: Parameters<SessionStorage["find"]>): AsyncIterable<StoredName> {
    return this.#target.find(...asked)
  }

  readRange(key: string, ...range: [number, number, string?, Uint8Array?]): Promise<Uint8Array> {
    return this.#of(key).readRange(key, ...range)
  }

  openRanges(key: string, identity: string): Promise<StoredRanges> {
    const storage = this.#of(key)
    if (storage.openRanges) return storage.openRanges(key, identity)
    throw new TypeError(`The storage of ${key} has no openRanges.`)
  }

  lease(key: string, options: LeaseOptions): Promise<Lease> {
    return this.#of(key).lease(key, options)
  }

  async *artifacts(key: string): AsyncGenerator<SessionArtifact> {
    yield* this.#of(key).artifacts?.(key) ?? []
  }

  #of(key: string): SessionStorage {
    return key === this.#copied ? this.#origin : this.#target
  }
}
