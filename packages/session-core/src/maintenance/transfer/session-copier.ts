import { CURRENT_VERSION, type SessionHeader } from "../../entry/entry.js"
import { sourceOf } from "../../entry/session-origin.js"
import { isJsonObject, type JsonObject, millisOf, textIn } from "../../entry/values.js"
import { isTreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import type { Line } from "../../log/line.js"
import type { LogOutline } from "../../log/session-log.js"
import { editedParts } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { splitLines } from "../../log/split-lines.js"
import { REFERENCE_OVERLAP } from "../../persist/named-blobs.js"
import { sanitizeEntry } from "../../persist/sanitize-entry.js"
import { isNameableId } from "../../ports/ids.js"
import type { SessionSource, StorageStat, StoredName } from "../../ports/session-source.js"
import type { Lease, SessionPlace, SessionStorage } from "../../ports/session-storage.js"
import { repositoryIn } from "../../session/listing/is-of-folder.js"
import { keyOfId, knownId } from "../../session/listing/resolve-ref.js"
import { assembled } from "../../session/reader/assembled.js"
import { headerOf, noBytes, readOutline, statToRead } from "../../session/reader/read-stored.js"
import { copyParts, readToCopy, replaceByCopy, underLease } from "../../session/rewrite/stored-session.js"
import { noSessionAt } from "../../session/session-errors.js"
import { LinePass } from "../rewrite-lines.js"
import { BlobCopier, HASHING_BLOBS, withBlobs } from "./blob-copier.js"
import type { CopiedSession, CopySessionsOptions, CopySource } from "./copy-options.js"
import { areCopies, KnownLines, Merge } from "./merge-lines.js"
import { otherId } from "./other-id.js"
import { PieceWriter } from "./piece-writer.js"
import { areAlike, rangeOf, type StoredObject } from "./stored-range.js"

// Crash argument. A new session gets its key when all of its bytes are stored, and an existing one is appended to: after a crash the
// target has nothing, or a beginning of what it was to have. The next copy compares what is there, and continues. The blobs of a piece are
// stored before the piece, and artifacts after the session: the next copy adds those that are not there.

interface SourceSession extends StoredObject {
  readonly storage: CopySource
  readonly outline: LogOutline
  /** The fields of its header that the copy has otherwise. */
  readonly changed: Partial<SessionHeader>
}

/** The place of a session in the target, and what is stored there. */
interface Target {
  readonly key: string
  readonly stat: StorageStat | undefined
}

interface OtherSession {
  readonly storage: SessionSource
  readonly key: string
}

type Stored = Pick<CopiedSession, "status" | "written" | "added" | "rewritten">

/** Copies sessions one after the other. */
export class SessionCopier {
  readonly #options: Omit<CopySessionsOptions, "keys">
  readonly #isOne: boolean
  /** Keys of the target by id, listed when the first session is not at its usual key. */
  #keysById: Promise<Map<string, string>> | undefined
  /** The sessions of the other storages by id, listed when the first session is new. */
  #othersById: Promise<Map<string, OtherSession[]>> | undefined
  readonly #triedBlobs = new Map<string, boolean>()

  /** @param isOne copies one session only: then the target is not listed as a whole */
  constructor(options: Omit<CopySessionsOptions, "keys">, isOne = false) {
    this.#options = options
    this.#isOne = isOne
  }

  /** @throws SessionNotFoundError, InvalidSessionError, UnsupportedVersionError, SessionBusyError, SessionChangedError, StorageError */
  async copy(name: StoredName): Promise<CopiedSession> {
    const { from, cwdOf, projectOf, blobs: stores } = this.#options
    const { key } = name
    const stat = await statToRead(from, key)
    if (!stat) throw noSessionAt(key)
    const outline = await readOutline(from, key, stat)
    if (!outline) throw noBytes(key)
    const { header } = outline
    const given = textIn(header.cwd)
    const cwd = cwdOf?.(given) ?? given
    const place = { id: header.id ?? "", cwd, timestamp: header.timestamp ?? "" }
    const project = name.project ?? projectOf?.(cwd, () => repositoryIn(header))
    const mark = completeSource(header.source, this.#options.source)
    const changed = { ...(cwd !== given && { cwd }), ...(mark && { source: mark }) }
    const source = { storage: from, key, stat, outline, changed }
    const blobs = new BlobCopier(this.#options.dryRun ? undefined : stores, this.#triedBlobs)
    const found = await this.#found(source, { ...place, project }, blobs)
    const { target, shift } = found
    const stored = await this.#store({ ...source, changed: found.changed }, target, shift, blobs)
    if (stored.status === "created") await this.#keysById?.then((keys) => keys.set(found.id, target.key))
    const artifacts = this.#options.dryRun ? {} : await this.#copyArtifacts(key, target.key, blobs)
    return {
      key,
      to: target.key,
      id: found.id,
      ...(found.id !== header.id && { formerId: header.id }),
      size: stat.size,
      ...stored,
      ...artifacts,
      copiedBlobs: blobs.copied,
      missingBlobs: blobs.missing,
    }
  }

  /** Where a session is to be stored: at its id, or where that is the id of another session, at an id of its own. */
  async #found(source: SourceSession, place: SessionPlace, blobs: BlobCopier) {
    const { header } = source.outline
    if (isNameableId(place.id)) {
      const target = await this.#target(place)
      const shift = await this.#shift(source, target, blobs)
      const isIt = target.stat
        ? shift !== undefined || (await this.#isSame({ ...header, ...source.changed }, target))
        : !(await this.#isTaken(source, place.id))
      if (isIt) return { id: place.id, target, changed: source.changed, shift }
    }
    const id = await otherId(header)
    const target = await this.#target({ ...place, id })
    const otherContentOf = isNameableId(place.id) ? { otherContentOf: place.id } : {}
    return { id, target, changed: { ...source.changed, id, ...otherContentOf }, shift: undefined }
  }

  /** Whether a session elsewhere has the id, of which this one is no copy. One that cannot be read is a copy of nothing. */
  async #isTaken(source: SourceSession, id: string): Promise<boolean> {
    this.#othersById ??= namesById(this.#options)
    for (const { storage, key } of (await this.#othersById).get(id) ?? [])
      try {
        if (!(await areCopies(await linesOf(storage, key), await linesOf(source.storage, source.key)))) return true
      } catch (error) {
        if (!isTreelogError(error)) throw error
      }
    return false
  }

  async #target(place: SessionPlace): Promise<Target> {
    const { to } = this.#options
    const usual = usualKey(to, place)
    const there = await to.stat(usual)
    if (there) return { key: usual, stat: there }
    if (!this.#isOne) this.#keysById ??= keysById(this.#options)
    const key = (this.#isOne ? await keyOfId(to, place.id) : (await this.#keysById)?.get(place.id)) ?? usual
    return { key, stat: key === usual ? undefined : await to.stat(key) }
  }

  /**
   * By how much what is stored is longer than the source, for its header, where one of the two is the beginning of the other, byte for byte, but
   * for what the header of the copy has otherwise; undefined where neither is. What they refer to is copied where it was lost. Bytes.
   */
  async #shift(source: SourceSession, { key, stat }: Target, blobs: BlobCopier): Promise<number | undefined> {
    if (!stat || this.#options.slim) return undefined
    const stored = { storage: this.#options.to, key, stat }
    const [start, copied] = await startsOf(source)
    const shift = copied.length - start.length
    const read = await stored.storage.readRange(key, 0, Math.min(copied.length, stat.size), stat.identity)
    if (!read.every((byte, at) => byte === copied[at])) return undefined
    if (stat.size < copied.length) return copied === start ? 0 : undefined
    const copyBlobs = blobs.inChunks(start)
    const span = { from: start.length, to: Math.min(source.stat.size, stat.size - shift), shift }
    const areSame = await areAlike(source, stored, span, (chunk) => {
      this.#progress(chunk.length)
      return copyBlobs(chunk)
    })
    return areSame ? shift : undefined
  }

  /** Whether a stored session is the same one, and not another with its id. */
  async #isSame(header: SessionHeader, { key, stat }: Target): Promise<boolean> {
    const theirs = stat && (await headerOf(this.#options.to, key, stat))
    if (!theirs) return true
    const [{ agent }, { agent: other }] = [sourceOf(header), sourceOf(theirs)]
    // Some agents have the time at which a session began for its id: two of them can have one of one time.
    if (agent !== undefined && other !== undefined) return agent === other
    return theirs.timestamp === header.timestamp
  }

  async #store(
    source: SourceSession,
    { key, stat }: Target,
    shift: number | undefined,
    blobs: BlobCopier,
  ): Promise<Stored> {
    const { to, dryRun = false } = this.#options
    const work = async (lease: Lease | undefined): Promise<Stored> => {
      const writer = (before?: Uint8Array) =>
        new PieceWriter({ to, key, lease, blobs, onProgress: this.#progress, ...(before && { before }) })
      if (!stat || stat.size === 0) {
        const pieces = writer()
        if (stat) await pieces.append(this.#content(source), stat)
        else await pieces.create(this.#content(source))
        return { status: "created", written: pieces.written, added: 0, rewritten: 0 }
      }
      if (shift === undefined) return this.#merge(source, key, lease, blobs, writer)
      const from = Math.min(source.stat.size, stat.size - shift)
      const overlap = Math.min(from, REFERENCE_OVERLAP)
      const pieces = writer(await source.storage.readRange(source.key, from - overlap, overlap, source.stat.identity))
      await pieces.append(rangeOf(source, from, source.stat.size), stat)
      const { written, lines } = pieces
      return { status: written > 0 ? "appended" : "unchanged", written, added: lines, rewritten: 0 }
    }
    const isThere = shift !== undefined && stat !== undefined && stat.size - shift >= source.stat.size
    return dryRun || isThere ? work(undefined) : underLease(to, key, work)
  }

  async #merge(
    source: SourceSession,
    key: string,
    lease: Lease | undefined,
    blobs: BlobCopier,
    writer: (before: Uint8Array) => PieceWriter,
  ): Promise<Stored> {
    const { to } = this.#options
    const copyBlobs = blobs.inChunks()
    for await (const chunk of rangeOf(source, 0, source.stat.size)) await copyBlobs(chunk)
    const read = await readToCopy(to, key)
    const isOld = read.log.version !== CURRENT_VERSION
    const parts = copyParts(read.log)
    if (!read.log.end.terminated) parts.pop()
    const stored = assembled(to, parts, { from: key, identity: read.stat.identity })
    const known = await KnownLines.of(splitLines(stored))
    // An older version is written anew, with its line end.
    const open = isOld ? new Uint8Array() : known.open
    const merge = new Merge(known, open, this.#options.isOriginal ?? false)
    const pieces = writer(open)
    const chunks = merge.chunks(splitLines(this.#inCurrentVersion(source, true)))
    const first = await chunks.next()
    // What is appended has the current version: then all of it has to have that.
    if (!first.done && isOld && lease) await replaceByCopy(to, lease, read)
    const stat = first.done || !isOld || !lease ? read.stat : await to.stat(key)
    if (!stat) throw noSessionAt(key)
    await pieces.append(continued(first, chunks), stat)
    const { added, rewritten, isBranch } = merge
    const status = pieces.written === 0 ? "unchanged" : isBranch ? "branched" : "appended"
    return { status, written: pieces.written, added, rewritten }
  }

  /** The bytes of the copy. */
  async *#content(source: SourceSession): AsyncGenerator<Uint8Array> {
    const { storage, key, stat, outline, changed } = source
    if (this.#options.slim) {
      yield* this.#inCurrentVersion(source)
      return
    }
    const {
      header,
      headerPlace: { offset, length },
    } = outline
    if (Object.keys(changed).length === 0) yield* rangeOf(source, 0, stat.size)
    else {
      const edit = { offset, length, bytes: (raw: Uint8Array) => spliceLine(raw, header, { ...header, ...changed }) }
      yield* assembled(storage, editedParts(stat.size, [edit]), { from: key, identity: stat.identity })
    }
  }

  /** @param isOpen leaves a last line without its line end, as it is */
  async *#inCurrentVersion({ storage, key, stat, changed }: SourceSession, isOpen = false): AsyncGenerator<Uint8Array> {
    const { slim, blobs, dryRun } = this.#options
    const { log } = await readToCopy(storage, key)
    const parts = copyParts(log, (header) => ({ ...header, ...changed }))
    if (isOpen && !log.end.terminated) parts.pop()
    const lines = splitLines(assembled(storage, parts, { from: key, identity: stat.identity }))
    const target = slim && dryRun && blobs?.to ? HASHING_BLOBS : blobs?.to
    const pass = new LinePass(key, async (record) => ({
      value: slim && target ? await sanitizeEntry(record, target) : record,
      diagnostics: [],
    }))
    yield* pass.all(lines)
  }

  /** The session is stored by now: what fails here is said beside that. */
  async #copyArtifacts(
    key: string,
    target: string,
    blobs: BlobCopier,
  ): Promise<Pick<CopiedSession, "artifacts" | "artifactsError">> {
    const { from, to, artifactsOf, isOriginal = false, signal } = this.#options
    try {
      const artifacts = artifactsOf?.(key, target) ?? from.artifacts(key)
      if (to.addArtifacts) {
        const adding = to.addArtifacts(target, withBlobs(artifacts, blobs), { replace: isOriginal })
        return { artifacts: await adding }
      }
      const left: string[] = []
      for await (const { name } of artifacts) left.push(name)
      return { artifacts: { added: 0, left } }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTreelogError(error)) throw error
      return { artifactsError: error }
    }
  }

  readonly #progress = (bytes: number): void => {
    this.#options.signal?.throwIfAborted()
    this.#options.onProgress?.(bytes)
  }
}

/** Its lines in the current version, without one that is half written. */
async function linesOf(storage: CopySource, key: string): Promise<AsyncIterable<Line>> {
  const { log, stat } = await readToCopy(storage, key)
  const parts = copyParts(log)
  if (!log.end.terminated) parts.pop()
  return splitLines(assembled(storage, parts, { from: key, identity: stat.identity }))
}

/** A stored header may have any timestamp, but not every one can be part of a name: one that is no time counts as 1970. */
function usualKey(to: SessionStorage, place: SessionPlace): string {
  try {
    return to.keyFor(place)
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError") || error.data.argument !== "timestamp") throw error
    return to.keyFor({ ...place, timestamp: new Date(millisOf(place.timestamp)).toISOString() })
  }
}

async function keysById({ to, signal }: Pick<CopySessionsOptions, "to" | "signal">): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for await (const { id, key, error } of to.list({ signal })) if (id !== undefined && !error) keys.set(id, key)
  return keys
}

async function namesById({
  others = [],
  signal,
}: Pick<CopySessionsOptions, "others" | "signal">): Promise<Map<string, OtherSession[]>> {
  const sessions = new Map<string, OtherSession[]>()
  for (const storage of others)
    for await (const { key, id: named, error } of storage.list({ signal })) {
      const id = error ? undefined : (named ?? (await knownId(storage, key)))
      if (id !== undefined) sessions.set(id, [...(sessions.get(id) ?? []), { storage, key }])
    }
  return sessions
}

/** The bytes of a session up to the end of its header, and those of its copy. */
async function startsOf({ storage, key, stat, outline, changed }: SourceSession): Promise<[Uint8Array, Uint8Array]> {
  const { header, headerPlace } = outline
  const start = await storage.readRange(key, 0, headerPlace.offset + headerPlace.length, stat.identity)
  const line = start.subarray(headerPlace.offset)
  if (Object.keys(changed).length === 0) return [start, start]
  return [
    start,
    joinBytes([start.subarray(0, headerPlace.offset), spliceLine(line, header, { ...header, ...changed })]),
  ]
}

async function* continued<T>(first: IteratorResult<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** What the header of a copy says of its origin: what the session says itself, and what it does not; undefined where nothing is added. */
function completeSource(own: unknown, known: JsonObject = {}): JsonObject | undefined {
  if (own !== undefined && !isJsonObject(own)) return undefined
  return Object.keys(known).every((name) => own && Object.hasOwn(own, name)) ? undefined : { ...known, ...own }
}
