import type { SessionHeader } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import { parseLine } from "../../log/parse-line.js"
import type { LogOutline } from "../../log/session-log.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type {
  AddedArtifacts,
  Lease,
  SessionPlace,
  SessionStorage,
  StorageStat,
  StoredName,
} from "../../ports/session-storage.js"
import { headerOf, noBytes, readOutline } from "../../session/reader/read-stored.js"
import { underLease } from "../../session/rewrite/stored-session.js"
import { noSessionAt } from "../../session/session-errors.js"
import { copyBlob } from "./import-session.js"
import { NamedBlobs, REFERENCE_OVERLAP } from "./named-blobs.js"
import { siblingId } from "./sibling-id.js"
import { firstDifference, rangeOf, type StoredObject } from "./stored-range.js"
import { withHeader } from "./with-header.js"

// Crash argument. A new session gets its key when all of its bytes are stored, and an existing one is appended to: after a crash the
// target has nothing, or a prefix of the source. The next copy compares what is there, and goes on at its end. The blobs of a piece are
// stored before the piece.

/** What a copy needs of the storage that it reads. */
export type CopySource = Pick<SessionStorage, "stat" | "readRange" | "list" | "find">

/** What to copy, and where to. */
export interface CopySessionsOptions {
  readonly from: CopySource
  readonly to: SessionStorage
  /** Keys of `from`. Default: every session that it lists. */
  readonly keys?: Iterable<string>
  /** Copy the blobs that sessions refer to, before these are stored. Default: blobs are not copied. */
  readonly blobs?: { readonly from: BlobStore; readonly to: BlobStore }
  /**
   * Copy artifacts too; those that a session has in the target stay as they are. Only for storages where `to` finds the artifacts of a session by its key in `from`, as two
   * `FileSessionStorage`s do. Default false.
   */
  readonly artifacts?: boolean
  /**
   * The name of the project of a folder, as a `SessionManager` of `to` has it (see `SessionManagerOptions`). A session that `from` groups
   * by a project stays in that. Default: only these have one.
   */
  readonly projectOf?: (cwd: string) => string | undefined
  /**
   * The folder of a copy. Where it is another one, the `cwd` in the header of the copy is that, and all other bytes are those of the
   * source. With the same function, a copy is found and continued again. Default: the folder of the source.
   */
  readonly cwdOf?: (cwd: string) => string
  /**
   * What becomes of a session that differs in the target: it is only reported (`report`), or stored beside the one that is there
   * (`sibling`), under an id that the same two sessions always get, and with the id of that one as `parentSession`. Default `report`.
   */
  readonly onConflict?: "report" | "sibling"
  /** Report what would be copied, and write nothing. Default false. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with the number of bytes that were compared or stored since the last call. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * What became of a session: `created` and `appended` were stored and read back, `unchanged` was there already, of `ahead` the target has
 * all and more, `conflict` differs in the target and was left alone.
 */
export interface CopiedSession {
  /** Its key in the source. */
  readonly key: string
  /** Its key in the target. */
  readonly to: string
  readonly status: "created" | "appended" | "unchanged" | "ahead" | "conflict"
  /** Bytes of the source. */
  readonly size: number
  /** Bytes that were stored, or would be. */
  readonly written: number
  /** The key in the target of the session that it differs from, if it is stored as a sibling of that. */
  readonly siblingOf?: string
  /** Of a conflict and of a sibling: the offset of the first byte that differs. Bytes. */
  readonly differsAt?: number
  /** What became of its artifacts, if these are copied, in a session that the target had. */
  readonly artifacts?: AddedArtifacts
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

/** A session of the source, and what the target has of it. */
interface Compared {
  readonly source: StoredObject
  readonly place: SessionPlace
  readonly to: string
  readonly stat: StorageStat | undefined
  readonly differsAt: number | undefined
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
    const { from, onConflict = "report" } = this.#options
    const { key } = name
    const stat = await from.stat(key)
    if (!stat) throw noSessionAt(key)
    const stored: StoredObject = { storage: from, key, stat }
    const outline = await readOutline(from, key, stat)
    if (!outline) throw noBytes(key)
    const place = sessionPlace(outline.header)
    const cwd = this.#options.cwdOf?.(place.cwd) ?? place.cwd
    const project = name.project ?? (await this.#projectOf(key, { ...place, cwd }))
    const changed = cwd === place.cwd ? {} : { cwd }
    const first = await this.#compared(stored, outline, { ...place, cwd, project }, changed)
    if (first.differsAt === undefined || onConflict === "report") return this.#copied(first)
    // A sibling may differ from the source, too: then that gets a sibling of its own. Each of them has another id.
    let sibling = first
    while (sibling.differsAt !== undefined) {
      const id = await siblingId(sibling.place.id, sibling.source, sibling.differsAt)
      const header = { ...changed, id, parentSession: place.id }
      sibling = await this.#compared(stored, outline, { ...place, cwd, project, id }, header)
    }
    return { ...(await this.#copied(sibling)), siblingOf: first.to, differsAt: first.differsAt }
  }

  /**
   * What the target has of a session, as it is with some other fields in its header.
   * @param at its key in the target, if that is known
   */
  async #compared(
    stored: StoredObject,
    outline: LogOutline,
    place: SessionPlace,
    changed: Partial<SessionHeader>,
    at?: string,
  ): Promise<Compared> {
    const { to: storage } = this.#options
    const source = Object.keys(changed).length > 0 ? await withHeader(stored, outline, changed) : stored
    const to = at ?? (await this.#keyOf(place))
    const stat = await storage.stat(to)
    const differsAt = stat && (await this.#difference(source, { storage, key: to, stat }, outline))
    if (stat && differsAt !== undefined && differsAt < headerEnd(stored, source, outline)) {
      // One that was moved to another folder in the target stays there: it is compared as it is with that folder.
      const theirs = (await headerOf(storage, to, stat))?.cwd
      if (typeof theirs === "string" && theirs !== place.cwd)
        return this.#compared(stored, outline, { ...place, cwd: theirs }, { ...changed, cwd: theirs }, to)
    }
    return { source, place, to, stat, differsAt }
  }

  /** Stores what the target lacks, where it does not differ. */
  async #copied({ source, to, stat, differsAt }: Compared): Promise<CopiedSession> {
    const { size } = source.stat
    const copied = { key: source.key, to, size, written: 0, missingBlobs: [] }
    if (differsAt !== undefined) return { ...copied, status: "conflict", differsAt }
    const isThere = stat !== undefined && stat.size >= size
    const missingBlobs = isThere || this.#options.dryRun ? [] : await this.#write(source, to, stat)
    if (!stat) return { ...copied, status: "created", written: size, missingBlobs }
    const artifacts = await this.#addArtifacts(source.key, to)
    const present = { ...copied, missingBlobs, ...(artifacts && { artifacts }) }
    if (isThere) return { ...present, status: stat.size === size ? "unchanged" : "ahead" }
    return { ...present, status: "appended", written: size - stat.size }
  }

  /** What a session got since it was copied. */
  async #addArtifacts(key: string, target: string): Promise<AddedArtifacts | undefined> {
    const { to, artifacts = false, dryRun = false } = this.#options
    return artifacts && !dryRun ? to.addArtifacts?.(target, key) : undefined
  }

  /** The key of a session in the target. */
  async #keyOf(place: SessionPlace): Promise<string> {
    const { to } = this.#options
    const usual = to.keyFor(place)
    if (await to.stat(usual)) return usual
    this.#keysById ??= keysById(this.#options)
    return (await this.#keysById).get(place.id) ?? usual
  }

  /** The folder of a session of another machine is not here: then the source knows its project. */
  async #projectOf(key: string, { id, cwd }: SessionPlace): Promise<string | undefined> {
    const { from, keys, projectOf } = this.#options
    if (!projectOf) return undefined
    if (keys)
      for await (const name of from.find(id)) if (name.key === key && name.project !== undefined) return name.project
    return projectOf(cwd)
  }

  /** The first byte that source and target do not have in common, as far as they go. */
  async #difference(source: StoredObject, stored: StoredObject, outline: LogOutline): Promise<number | undefined> {
    const to = Math.min(source.stat.size, stored.stat.size)
    const differsAt = await firstDifference(source, stored, { from: 0, to, onRead: this.#progress })
    const { offset = 0, length = 0 } = outline.titleSlot?.place ?? {}
    const end = offset + length
    if (differsAt === undefined || differsAt >= end || to <= end) return differsAt
    // omp rewrites its title line in place, and appends an entry with the title: the line alone makes no other session.
    const bytes = await stored.storage.readRange(stored.key, offset, length, stored.stat.identity)
    if (!isTitle(bytes)) return differsAt
    return firstDifference(source, stored, { from: end, to, onRead: this.#progress })
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
function sessionPlace({ id, cwd, timestamp }: Partial<SessionPlace>): SessionPlace {
  return { id: id ?? "", cwd: typeof cwd === "string" ? cwd : "", timestamp: timestamp ?? "" }
}

/** Where the header ends in the source as it is compared. */
function headerEnd({ stat }: StoredObject, source: StoredObject, { headerPlace }: LogOutline): number {
  return headerPlace.offset + headerPlace.length + source.stat.size - stat.size
}

/** Whether the bytes of a line are a title of omp. */
function isTitle(bytes: Uint8Array): boolean {
  const { records } = parseLine({ number: 1, offset: 0, bytes, end: bytes.length, terminated: true })
  return records.length === 1 && records[0]?.value.type === "title"
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
