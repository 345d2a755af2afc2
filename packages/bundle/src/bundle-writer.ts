import { exportSession, findSessionSecrets } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import { type BlobSource, isTreelogError, SessionManager, type SessionSource } from "@treelog/session-core"
import { noSessionAt, readHeader, storedBytes } from "@treelog/session-core/adapter"
import { isFileName, nodeFs } from "@treelog-internal/fs"
import type { BundledSession } from "./manifest.js"
import { type BundleSource, measure } from "./measure.js"
import { Spool } from "./spool.js"
import { archiveOf } from "./write-archive.js"

/** What a bundle is made of. */
export interface BundleWriterOptions {
  /** Where sessions are, unless `add` names another one. */
  readonly storage: SessionSource
  /** The blobs of a session; undefined where it has none. */
  readonly blobsOf?: (key: string) => Promise<BlobSource | undefined> | undefined
  /** Take secrets out. Default false: they are counted. */
  readonly redact?: boolean
  /** Where a folder for copies is made, which `close` removes. An absolute path. Default: the folder of the system. */
  readonly tempDir?: string
  /** Called with the number of bytes that were read since the last call; may throw, to stop. */
  readonly onProgress?: (bytes: number) => void
}

/** Where a session is from. */
export type SessionOrigin = { readonly [Field in "project" | "store" | "person"]?: string | undefined }

/** What a bundle has of a session. */
export interface AddedSession {
  readonly key: string
  /** Its bytes in the bundle. */
  readonly size: number
  /** How many files are bundled with it. */
  readonly artifacts: number
  /** How many secrets were found, or redacted: in its lines, artifacts and long texts. */
  readonly secrets: number
  /** How many files are too large to be scanned for secrets. */
  readonly unscanned: number
  /** The names of the artifacts and blobs that the bundle lacks: links, and with `redact` what cannot be scanned, or has a secret in its name. */
  readonly leftOut: readonly string[]
  /** With `redact`, how many lines that cannot be scanned it lacks. */
  readonly leftOutLines: number
  /** Hashes of blobs that it refers to and that are missing or damaged. */
  readonly missingBlobs: readonly string[]
}

interface Counts {
  secrets: number
  unscanned: number
  leftOutLines: number
  readonly leftOut: string[]
  readonly missing: Set<string>
}

/** Larger texts are not scanned for secrets. Bytes. */
const LARGEST_TEXT = 32 << 20
const REFERENCE = /(?<=blob:sha256:)[0-9a-f]{64}/g

/** Collects sessions, each with its artifacts, and each blob once; then writes the archive. Nothing of the storage is changed. */
export class BundleWriter {
  readonly #sessions: BundledSession[] = []
  readonly #files: BundleSource[] = []
  /** By the hash that sessions have, which a redacted blob no longer has. */
  readonly #blobs = new Map<string, BundleSource>()
  readonly #options: BundleWriterOptions
  readonly #spool: Spool

  constructor(options: BundleWriterOptions) {
    this.#options = options
    this.#spool = new Spool(nodeFs, options.tempDir)
  }

  /** How many sessions were added. */
  get sessions(): number {
    return this.#sessions.length
  }

  /** How many files the archive has. */
  get files(): number {
    return this.#ordered().length
  }

  /**
   * Adds a session as it is now: what is appended later is not part of it.
   * @param from `storage`: where it is, if not in that of the writer; `project`: the one that the store has it in, if that groups sessions by project; `store`: whose store that is, and `person`: whose
   * session it is, for the program that stores it
   * @throws SessionNotFoundError, InvalidSessionError, SessionChangedError, StorageError
   */
  async add(
    key: string,
    {
      storage = this.#options.storage,
      project,
      store,
      person,
    }: SessionOrigin & { readonly storage?: SessionSource } = {},
  ): Promise<AddedSession> {
    const stat = await (storage.statContent?.(key) ?? storage.stat(key))
    if (!stat || !(await readHeader(storage, key))) throw noSessionAt(key)
    const whole = { from: 0, to: stat.size, identity: stat.identity }
    const stem = `sessions/${this.#sessions.length + 1}`
    const counts: Counts = { secrets: 0, unscanned: 0, leftOutLines: 0, leftOut: [], missing: new Set() }
    const blobs = await this.#options.blobsOf?.(key)
    const inLines = new Set<string>()
    const stored = await measure(`${stem}.jsonl`, () => this.#counted(storedBytes(storage, key, whole)), inLines)
    await this.#addBlobs(inLines, blobs, counts)
    const session = await this.#scannedSession(stored, { storage, key }, blobs, counts)
    const artifacts: BundleSource[] = []
    for await (const { name, chunks } of storage.artifacts(key)) {
      const shown = this.#options.redact ? redaction.redactText(name).text : name
      if (!chunks || shown !== name || !name.split("/").every(isFileName)) {
        counts.leftOut.push(shown)
        continue
      }
      const named = new Set<string>()
      const copy = await this.#spool.keep(`${stem}/${name}`, this.#counted(chunks), named)
      await this.#addBlobs(named, blobs, counts)
      const scanned = await this.#scanned(copy, copy.path, counts)
      if (scanned) artifacts.push(scanned)
      else counts.leftOut.push(name)
    }
    this.#files.push(session, ...artifacts)
    const from = {
      ...(project !== undefined && { project: this.#options.redact ? redaction.redactText(project).text : project }),
      ...(store !== undefined && { store }),
      ...(person !== undefined && !this.#options.redact && { person }),
    }
    this.#sessions.push({ path: session.path, ...from })
    const { missing, ...rest } = counts
    return { key, size: session.size, artifacts: artifacts.length, ...rest, missingBlobs: [...missing] }
  }

  /** The bytes of the archive, which are equal for equal sessions. @throws SessionChangedError, BundleError */
  archive(): AsyncGenerator<Uint8Array> {
    return archiveOf(this.#sessions, this.#ordered())
  }

  /** Removes the copies. @throws StorageError */
  close(): Promise<void> {
    return this.#spool.remove()
  }

  /** In the order of the archive. */
  #ordered(): BundleSource[] {
    const blobs = new Map([...this.#blobs.values()].map((blob) => [blob.path, blob]))
    return [...[...blobs.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), ...this.#files]
  }

  async #addBlobs(hashes: Iterable<string>, blobs: BlobSource | undefined, counts: Counts): Promise<void> {
    for (const hash of hashes) await this.#addBlob(hash, blobs, counts)
  }

  async #addBlob(hash: string, blobs: BlobSource | undefined, counts: Counts): Promise<void> {
    if (this.#blobs.has(hash)) return
    try {
      if (!(await blobs?.has(hash)) || !blobs) counts.missing.add(hash)
      else {
        const blob = await measure(`blobs/${hash}`, () => this.#counted(blobs.openRead(hash)))
        // What a session refers to is counted with its lines.
        const scanned = this.#options.redact
          ? await this.#scanned(blob, (redacted) => `blobs/${redacted}`, counts)
          : blob
        if (scanned) this.#blobs.set(hash, scanned)
        else counts.leftOut.push(blob.path)
      }
    } catch (error) {
      if (!isTreelogError(error, "BlobDamagedError") && !isTreelogError(error, "BlobNotFoundError")) throw error
      counts.missing.add(hash)
    }
  }

  /** The session, or a redacted copy. */
  async #scannedSession(
    source: BundleSource,
    { storage, key }: { readonly storage: SessionSource; readonly key: string },
    blobs: BlobSource | undefined,
    counts: Counts,
  ): Promise<BundleSource> {
    if (!this.#options.redact) {
      for await (const _ of findSessionSecrets(storage, key, { redaction, blobs })) {
        counts.secrets += 1
        this.#options.onProgress?.(0)
      }
      return source
    }
    const session = await new SessionManager({ storage, anyFile: true }).open(key, { access: "read" })
    try {
      const exported = exportSession(session, { format: "jsonl", storage, redaction })
      const copy = await this.#spool.keep(source.path, this.#withBlobs(exported))
      counts.leftOutLines += exported.summary.leftOut
      for (const { count } of exported.summary.redacted) counts.secrets += count
      return copy
    } finally {
      await session.close()
    }
  }

  /** An artifact or a blob, or a redacted copy; undefined where that cannot be made. */
  async #scanned(
    source: BundleSource,
    name: string | ((hash: string) => string),
    counts: Counts,
  ): Promise<BundleSource | undefined> {
    if (source.size > LARGEST_TEXT) {
      counts.unscanned += 1
      return this.#options.redact ? undefined : source
    }
    const text = await readText(source)
    // A blob that is no text is a picture, which stays, as in a line.
    if (text === undefined) return this.#options.redact && !source.path.startsWith("blobs/") ? undefined : source
    const { text: redacted, findings } = redaction.redactText(text)
    counts.secrets += findings.length
    if (!this.#options.redact) return source
    const changed = this.#named(redacted)
    return changed === text ? source : this.#spool.keep(name, [changed])
  }

  /** Pieces of whole lines, with the hashes that redacted blobs have. */
  async *#withBlobs(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      this.#options.onProgress?.(0)
      yield this.#named(typeof piece === "string" ? piece : Buffer.from(piece).toString())
    }
  }

  #named(text: string): string {
    return text.replace(REFERENCE, (hash) => this.#blobs.get(hash)?.sha256 ?? hash)
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#options.onProgress?.(chunk.length)
      yield chunk
    }
  }
}

/** The text of a file; undefined where it is not UTF-8, or has NULs, as a text in UTF-16 has. */
async function readText(source: BundleSource): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source.open()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
