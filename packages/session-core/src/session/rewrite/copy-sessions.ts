import { TreelogError } from "../../errors.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { Lease, SessionPlace, SessionStorage, StorageStat, StoredName } from "../../ports/session-storage.js"
import { headerOf, noBytes } from "../reader/read-stored.js"
import { noSessionAt } from "../session-errors.js"
import { copyBlob } from "./import-session.js"
import { NamedBlobs, REFERENCE_OVERLAP } from "./named-blobs.js"
import { firstDifference, rangeOf, type StoredObject } from "./stored-range.js"
import { underLease } from "./stored-session.js"

// Crash argument. A new session gets its key when all of its bytes are stored, and an existing one is appended to: after a crash the
// target has nothing, or a prefix of the source. The next copy compares what is there, and goes on at its end. The blobs of a piece are
// stored before the piece.

/** What to copy, and where to. */
export interface CopySessionsOptions {
  readonly from: SessionStorage
  readonly to: SessionStorage
  /** Keys of `from`. Default: every session that it lists. */
  readonly keys?: Iterable<string>
  /** Copy the blobs that sessions refer to, before these are stored. Default: blobs are not copied. */
  readonly blobs?: { readonly from: BlobStore; readonly to: BlobStore }
  /**
   * Copy the artifacts of new sessions too. Only for storages where `to` finds the artifacts of a session by its key in `from`, as two
   * `FileSessionStorage`s do. Default false.
   */
  readonly artifacts?: boolean
  /**
   * The name of the project of a folder, as a `SessionManager` of `to` has it (see `SessionManagerOptions`). A session that `from` groups
   * by a project stays in that. Default: only these have one.
   */
  readonly projectOf?: (cwd: string) => string | undefined
  /** Report what would be copied, and write nothing. Default false. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with the number of bytes that were compared or stored since the last call. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * What became of a session: `created` and `appended` were stored and read back, `unchanged` was there already, `conflict` differs in the
 * target and was left alone.
 */
export interface CopiedSession {
  /** Its key in the source. */
  readonly key: string
  /** Its key in the target. */
  readonly to: string
  readonly status: "created" | "appended" | "unchanged" | "conflict"
  /** Bytes of the source. */
  readonly size: number
  /** Bytes that were stored, or would be. */
  readonly written: number
  /** Of a conflict: the offset of the first byte that differs, or where the shorter one ends. Bytes. */
  readonly differsAt?: number
  /** Hashes of the blobs that it refers to in what was stored, and that the source does not have, or not undamaged. */
  readonly missingBlobs: readonly string[]
}

/** A session that could not be copied. */
export interface UncopiedSession {
  readonly key: string
  readonly error: unknown
}

/**
 * Copies sessions byte for byte from one storage to another, and reports each. It can be repeated: a session that is there is compared,
 * and continued where the target has the beginning of it. A session has the key that `to.keyFor` returns for its header, or that under
 * which `to` lists its id. What a writer appends meanwhile is copied by the next call.
 * @throws the reason of `signal`. Any other error is that of one session, and is reported in its place
 */
export async function* copySessions(options: CopySessionsOptions): AsyncGenerator<CopiedSession | UncopiedSession> {
  const { from, keys, signal } = options
  const copier = new SessionCopier(options)
  for await (const name of keys ? namesOf(keys) : from.list({ signal })) {
    signal?.throwIfAborted()
    try {
      if (name.error) throw name.error
      yield await copier.copy(name)
    } catch (fault) {
      signal?.throwIfAborted()
      yield { key: name.key, error: fault }
    }
  }
}

function* namesOf(keys: Iterable<string>): Generator<StoredName> {
  for (const key of keys) yield { key }
}

class SessionCopier {
  readonly #options: CopySessionsOptions
  /** Keys of the target by id, listed when the first session is not at its usual key. */
  #keysById: Promise<Map<string, string>> | undefined
  /** The hashes of blobs that were tried, and whether each was copied. */
  readonly #triedBlobs = new Map<string, boolean>()

  constructor(options: CopySessionsOptions) {
    this.#options = options
  }

  async copy(name: StoredName): Promise<CopiedSession> {
    const { from, to, dryRun = false } = this.#options
    const { key } = name
    const stat = await from.stat(key)
    if (!stat) throw noSessionAt(key)
    const source = { storage: from, key, stat }
    const target = await this.#targetOf(source, name.project)
    const copied = { key, to: target, size: stat.size, missingBlobs: [] }
    const stored = await to.stat(target)
    if (stored) {
      const differsAt = await this.#difference(source, { storage: to, key: target, stat: stored })
      if (differsAt !== undefined) return { ...copied, status: "conflict", written: 0, differsAt }
      if (stored.size === stat.size) return { ...copied, status: "unchanged", written: 0 }
    }
    const missingBlobs = dryRun ? [] : await this.#write(source, target, stored)
    const status = stored ? "appended" : "created"
    return { ...copied, status, written: stat.size - (stored?.size ?? 0), missingBlobs }
  }

  /** The key of the session in the target. @param project of the session in the source, if that is known */
  async #targetOf({ storage, key, stat }: StoredObject, project: string | undefined): Promise<string> {
    const { to } = this.#options
    const header = await headerOf(storage, key, stat)
    if (!header) throw noBytes(key)
    const place = placeOf(header)
    const usual = to.keyFor({ ...place, project: project ?? (await this.#projectOf(key, place)) })
    if (await to.stat(usual)) return usual
    this.#keysById ??= keysById(this.#options)
    return (await this.#keysById).get(header.id) ?? usual
  }

  /** The folder of a session of another machine is not here: then the source knows its project. */
  async #projectOf(key: string, { id, cwd }: SessionPlace): Promise<string | undefined> {
    const { from, keys, projectOf } = this.#options
    if (!projectOf) return undefined
    if (keys)
      for await (const name of from.find(id)) if (name.key === key && name.project !== undefined) return name.project
    return projectOf(cwd)
  }

  /** Where a stored session is no beginning of the source. */
  async #difference(source: StoredObject, stored: StoredObject): Promise<number | undefined> {
    const shorter = Math.min(source.stat.size, stored.stat.size)
    const differsAt = await firstDifference(source, stored, { from: 0, to: shorter, onRead: this.#progress })
    return differsAt ?? (stored.stat.size > source.stat.size ? shorter : undefined)
  }

  /** Stores what the target lacks, and reads it back. @returns the hashes of missing blobs */
  #write(source: StoredObject, target: string, stored: StorageStat | undefined): Promise<string[]> {
    const { to, artifacts = false } = this.#options
    const missing = new Set<string>()
    const from = stored?.size ?? 0
    return underLease(to, target, async (lease) => {
      const chunks = this.#chunks(source, from, missing)
      const stat = stored
        ? await append(lease, chunks, stored)
        : await lease.create(chunks, artifacts ? { artifactsFrom: source.key } : {})
      await lease.sync()
      await this.#verify(source, { storage: to, key: target, stat }, from)
      return [...missing]
    })
  }

  /** The bytes to store; the blobs of a chunk are stored first. */
  async *#chunks(source: StoredObject, from: number, missing: Set<string>): AsyncGenerator<Uint8Array> {
    const { blobs, signal } = this.#options
    const overlap = Math.min(from, REFERENCE_OVERLAP)
    const before = await source.storage.readRange(source.key, from - overlap, overlap, source.stat.identity)
    const named = new NamedBlobs(before)
    for await (const chunk of rangeOf(source, from, source.stat.size)) {
      signal?.throwIfAborted()
      if (blobs) for (const hash of named.in(chunk)) if (!(await this.#copyBlob(hash, blobs))) missing.add(hash)
      yield chunk
      this.#progress(chunk.length)
    }
  }

  async #copyBlob(hash: string, { from, to }: NonNullable<CopySessionsOptions["blobs"]>): Promise<boolean> {
    const copied = this.#triedBlobs.get(hash) ?? (await copyBlob(hash, from, to))
    this.#triedBlobs.set(hash, copied)
    return copied
  }

  /** @throws StorageError when other bytes were stored */
  async #verify(source: StoredObject, stored: StoredObject, from: number): Promise<void> {
    const { size } = source.stat
    if (stored.stat.size !== size) throw misstored(stored.key, Math.min(size, stored.stat.size))
    const differsAt = await firstDifference(source, stored, { from, to: size, onRead: this.#progress })
    if (differsAt !== undefined) throw misstored(stored.key, differsAt)
  }

  readonly #progress = (bytes: number): void => {
    this.#options.signal?.throwIfAborted()
    this.#options.onProgress?.(bytes)
  }
}

/** Appends chunk by chunk, so that a long rest is not held in memory. @throws SessionChangedError when another program appends too */
async function append(lease: Lease, chunks: AsyncIterable<Uint8Array>, stored: StorageStat): Promise<StorageStat> {
  let stat = stored
  for await (const chunk of chunks) {
    const next = await lease.append(chunk, stat)
    if (next.size !== stat.size + chunk.length) {
      const message = `Another program appended to ${lease.key} while it was written. Compare it with its source.`
      throw new TreelogError("SessionChangedError", message, { key: lease.key, change: "grown" })
    }
    stat = next
  }
  return stat
}

/** Headers of the wild lack fields; a storage rejects those that it needs. */
function placeOf({ id, cwd, timestamp }: Partial<SessionPlace>): SessionPlace {
  return { id: id ?? "", cwd: typeof cwd === "string" ? cwd : "", timestamp: timestamp ?? "" }
}

async function keysById({ to, signal }: CopySessionsOptions): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for await (const { id, key, error } of to.list({ signal })) if (id !== undefined && !error) keys.set(id, key)
  return keys
}

function misstored(key: string, at: number): TreelogError<"StorageError"> {
  const message = `What was stored at ${key} is not what was copied: it differs at byte ${at}. Remove it, and copy the session again.`
  return new TreelogError("StorageError", message, { key, operation: "verify", errno: undefined })
}
