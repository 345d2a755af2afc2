import { isTreelogError, type SessionStorage, type StorageStat, TreelogError } from "@treelog/session-core"
import type {
  Breadcrumbs,
  Lease,
  LeaseOptions,
  ListFilter,
  RangeReads,
  SessionPlace,
  StorageSupports,
  StoredName,
  StoredRanges,
  SummaryCache,
} from "@treelog/session-core/adapter"
import { type FsPort, isStorageFault, nodeFs, sessionChanged } from "@treelog-internal/fs"
import { CachedLease } from "./mirror/cached-lease.js"
import { type Mirror, SMALLEST } from "./mirror/mirror.js"
import { Mirrors } from "./mirror/mirrors.js"

/** Options of a `CachedSessionStorage`. */
export interface CachedSessionStorageOptions {
  /** The folder of the mirror. Several processes may share it; each remote storage needs its own. */
  readonly folder: string
  /** How large the folder may become. What was not used for the longest time is removed first. Bytes, default 1 GiB. */
  readonly maxBytes?: number | undefined
  /** Called once, with the first reason why the folder cannot be read or written. Nothing fails because of it. */
  readonly onCacheError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
}

const GIBIBYTE = 2 ** 30

/** Bytes that are fetched although the mirror has them, to see that they are still the same. */
const OVERLAP = 64

/** A mirror up to this size is verified in less time than a round trip takes. Bytes. */
const SOON_VERIFIED = 16 * 1024 * 1024

/** The states of so many keys are remembered. */
const SEEN = 1000

/**
 * A storage on a network with a mirror of its sessions on the disk, so that open sessions are not held in memory, and only what the
 * mirror lacks is fetched. Every write goes to the remote storage.
 */
export class CachedSessionStorage implements SessionStorage {
  readonly supports: StorageSupports
  readonly breadcrumbs?: Breadcrumbs
  readonly summaries?: SummaryCache | undefined
  readonly leaseAndAppend?: NonNullable<SessionStorage["leaseAndAppend"]>
  readonly watch?: NonNullable<SessionStorage["watch"]>
  readonly #remote: SessionStorage
  readonly #mirrors: Mirrors
  /** The last known states. An identity that was seen under a key is never another object. */
  readonly #seen = new Map<string, StorageStat>()

  /**
   * @param remote the storage that has the sessions
   * @throws InvalidArgumentError
   */
  constructor(remote: SessionStorage, options: CachedSessionStorageOptions) {
    const { folder, maxBytes = GIBIBYTE, onCacheError, fs = nodeFs } = options
    if (folder === "") throw invalid("folder", folder, "is the path of a folder")
    if (!(maxBytes >= 0)) throw invalid("maxBytes", maxBytes, "is a number of bytes")
    this.#remote = remote
    this.#mirrors = new Mirrors({ fs, folder, maxBytes, onError: once(onCacheError) })
    const { syncWrites: _, ...supports } = remote.supports
    this.supports = { ...supports, syncReads: true }
    this.summaries = remote.summaries
    if (remote.breadcrumbs) this.breadcrumbs = remote.breadcrumbs
    if (remote.watch) this.watch = remote.watch.bind(remote)
    if (remote.leaseAndAppend) this.leaseAndAppend = this.#leaseAndAppend.bind(this, remote.leaseAndAppend.bind(remote))
  }

  keyFor(place: SessionPlace): string {
    return this.#remote.keyFor(place)
  }

  keyFromRef(ref: string): string | undefined {
    return this.#remote.keyFromRef(ref)
  }

  folderOf(key: string): string {
    return this.#remote.folderOf(key)
  }

  async stat(key: string): Promise<StorageStat | undefined> {
    const seen = this.#seen.get(key)
    const stat = await this.#remote.stat(key)
    if (stat) this.#see(key, stat)
    else this.#seen.delete(key)
    if (seen && seen.identity !== stat?.identity) await this.#mirrors.drop(key)
    return stat
  }

  list(filter?: ListFilter): AsyncIterable<StoredName> {
    return this.#remote.list(filter)
  }

  find(id: string, options?: Pick<ListFilter, "signal">): AsyncIterable<StoredName> {
    return this.#remote.find(id, options)
  }

  async readRange(
    key: string,
    offset: number,
    length: number,
    identity?: string,
    into?: Uint8Array,
  ): Promise<Uint8Array> {
    const readRemote = () => this.#readRemote(key, offset, length, identity, into)
    if (identity === undefined || length < SMALLEST) return readRemote()
    // Who reads from the start will read on.
    if (offset > 0 && !this.#mirrors.loaded(key, identity)) return readRemote()
    const mirror = await this.#mirrors.use(key, identity)
    this.#mirrors.remember(mirror)
    try {
      return (await this.#readMirrored(mirror, offset, length, into)) ?? (await readRemote())
    } finally {
      mirror.leave()
    }
  }

  /**
   * Opens the mirror, and fetches what it lacks. If this storage has seen the object under the key, and the mirror has all that it saw,
   * the remote storage is not asked.
   */
  async openRanges(key: string, identity: string, reads: RangeReads = "all"): Promise<StoredRanges | undefined> {
    const { size } = await this.#stateOf(key, identity)
    const isAll = reads === "all"
    if (!isAll && size > SOON_VERIFIED && !this.#mirrors.loaded(key, identity)) return undefined
    const mirror = await this.#mirrors.use(key, identity)
    let isOpen = false
    try {
      if (mirror.end > size && !(await this.#isStored(mirror))) return await this.openRanges(key, identity, reads)
      if (!isAll && (mirror.end === 0 || size - mirror.end >= SMALLEST)) return undefined
      await mirror.fill(size, (offset, length) => this.#remote.readRange(key, offset, length, identity))
      isOpen = true
      return mirror.ranges()
    } finally {
      if (!isOpen) mirror.leave()
    }
  }

  async lease(key: string, options: LeaseOptions): Promise<Lease> {
    return new CachedLease(await this.#remote.lease(key, options), {
      appended: (...args) => this.#appended(...args),
      stored: async (stored, stat) => {
        this.#see(stored, stat)
        await this.#mirrors.drop(stored)
      },
      moved: async (from, to) => {
        this.#seen.delete(from)
        this.#seen.delete(to)
        await this.#mirrors.move(from, to)
      },
      removed: async (removed) => {
        this.#seen.delete(removed)
        await this.#mirrors.drop(removed)
      },
    })
  }

  /** Resolves when the mirror of what was read and appended is in the folder, or could not be written. */
  settled(): Promise<void> {
    return this.#mirrors.settled()
  }

  async #leaseAndAppend(
    leaseAndAppend: NonNullable<SessionStorage["leaseAndAppend"]>,
    key: string,
    options: LeaseOptions,
    bytes: Uint8Array,
    expected: StorageStat,
  ): Promise<StorageStat> {
    const own = new Uint8Array(bytes)
    const stat = await leaseAndAppend(key, options, own, expected)
    this.#appended(key, own, expected, stat)
    return stat
  }

  #appended(key: string, bytes: Uint8Array, expected: StorageStat, stat: StorageStat): void {
    this.#see(key, stat)
    // Where another program appended at the same time, it is not known whose bytes come first.
    if (stat.size !== expected.size + bytes.length) return
    this.#mirrors.loaded(key, stat.identity)?.add(expected.size, bytes)
  }

  async #readRemote(
    key: string,
    offset: number,
    length: number,
    identity: string | undefined,
    into: Uint8Array | undefined,
  ): Promise<Uint8Array> {
    const bytes = await this.#remote.readRange(key, offset, length, identity, into)
    if (identity !== undefined) this.#mirrors.loaded(key, identity)?.add(offset, bytes)
    return bytes
  }

  /**
   * Reads what the mirror has from there, and the rest from the remote storage, in one call that also verifies the object. Undefined
   * where the mirror has too little of it, or not what is stored.
   */
  async #readMirrored(
    mirror: Mirror,
    offset: number,
    length: number,
    into: Uint8Array | undefined,
  ): Promise<Uint8Array | undefined> {
    const { key, identity } = mirror.object
    const held = Math.min(mirror.end, offset + length)
    if (held - offset < SMALLEST) return undefined
    const from = held - OVERLAP
    const rest = await this.#remote.readRange(key, from, offset + length - from, identity)
    const known = readOrNothing(mirror, offset, held - offset)
    if (!known || Buffer.compare(known.subarray(-OVERLAP), rest.subarray(0, OVERLAP)) !== 0) {
      await this.#mirrors.forget(key)
      return undefined
    }
    mirror.add(from, rest)
    const size = from - offset + rest.length
    const bytes = into && into.length >= size ? into.subarray(0, size) : Buffer.allocUnsafeSlow(size)
    bytes.set(known.subarray(0, from - offset))
    bytes.set(rest, from - offset)
    return bytes
  }

  /** The state of the object, if it is known; else it is asked for. */
  async #stateOf(key: string, identity: string): Promise<StorageStat> {
    const seen = this.#seen.get(key)
    if (seen?.identity === identity) return seen
    const stat = await this.stat(key)
    if (stat?.identity === identity) return stat
    throw sessionChanged(key, stat ? "replaced" : "gone")
  }

  /** Whether the remote storage has as many bytes as the mirror. If not, the mirror is dropped. */
  async #isStored({ object: { key, identity }, end }: Mirror): Promise<boolean> {
    const stat = await this.stat(key)
    if (stat?.identity !== identity || stat.size >= end) return true
    await this.#mirrors.forget(key)
    return false
  }

  #see(key: string, stat: StorageStat): void {
    this.#seen.delete(key)
    this.#seen.set(key, stat)
    if (this.#seen.size > SEEN) for (const oldest of [...this.#seen.keys()].slice(0, 1)) this.#seen.delete(oldest)
  }
}

/** Undefined where its files cannot be read any more. */
function readOrNothing(mirror: Mirror, offset: number, length: number): Uint8Array | undefined {
  try {
    return mirror.read(offset, length)
  } catch (error) {
    if (!isStorageFault(error)) throw error
    return undefined
  }
}

function once(onError: CachedSessionStorageOptions["onCacheError"]): (error: unknown) => void {
  let isReported = false
  return (error) => {
    if (isReported || !isTreelogError(error, "StorageError")) return
    isReported = true
    onError?.(error)
  }
}

function invalid(argument: string, value: unknown, must: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", `\`${argument}\` ${must}.`, { argument, value })
}
