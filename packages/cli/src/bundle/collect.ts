import { exportSession, findSessionSecrets } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import {
  type BlobStore,
  isTreelogError,
  SessionManager,
  type SessionStorage,
  type StorageStat,
} from "@treelog/session-core"
import { noSessionAt, readHeader } from "@treelog/session-core/adapter"
import { artifactsFolder } from "@treelog/storage-fs"
import type { BlobPlace } from "../blobs/blob-place.js"
import { findArtifacts, readArtifact } from "./artifacts.js"
import type { BundledSession } from "./manifest.js"
import { type BundleSource, measure } from "./measure.js"
import type { Spool } from "./spool.js"

/** The store that sessions are bundled from. */
export interface BundledStore {
  readonly storage: SessionStorage
  /** Whether its sessions are files, which may have artifacts. */
  readonly hasArtifacts: boolean
  /** For the artifacts of sessions of an agent, which are made when they are read. */
  readonly copies: Spool | undefined
  /** Where the blobs of a session are. */
  blobsOf(key: string): BlobPlace | undefined
}

/** What is reported of a session that is bundled. */
export interface CollectedSession {
  readonly key: string
  /** Its bytes in the bundle. */
  readonly size: number
  /** How many files are bundled with it. */
  readonly artifacts: number
  /** How many secrets were found, or redacted: in its lines, artifacts and long texts. */
  readonly secrets: number
  /** Files that are too large to be scanned for secrets; with a redaction they are left out. */
  readonly unscanned: number
  /** What was left out: links and the like among the artifacts, and with a redaction what cannot be scanned. */
  readonly leftOut: number
  /** Hashes of blobs that it refers to and that are missing or damaged. */
  readonly missingBlobs: readonly string[]
}

type Counts = Record<"secrets" | "unscanned" | "leftOut", number> & { readonly missing: Set<string> }

/** Larger texts are not scanned for secrets. Bytes. */
const LARGEST_TEXT = 32 << 20
const REFERENCE = /(?<=blob:sha256:)[0-9a-f]{64}/g
const BLOCK = 1 << 20

/** Collects what a bundle consists of: each session with its artifacts, and each blob once. */
export class Collector {
  readonly sessions: BundledSession[] = []
  readonly #files: BundleSource[] = []
  /** By the hash that sessions have, which a redacted blob no longer has. */
  readonly #blobs = new Map<string, BundleSource>()
  readonly #places = new Map<string, Promise<BlobStore>>()
  readonly #store: BundledStore
  readonly #spool: Spool | undefined
  readonly #onProgress: (bytes: number) => void

  /**
   * @param spool for redacted copies; undefined where nothing is redacted
   * @param onProgress called with the number of bytes that were read since the last call; may throw, to stop
   */
  constructor(store: BundledStore, spool: Spool | undefined, onProgress: (bytes: number) => void) {
    this.#store = store
    this.#spool = spool
    this.#onProgress = onProgress
  }

  /** In the order of the archive. */
  get files(): BundleSource[] {
    const blobs = new Map([...this.#blobs.values()].map((blob) => [blob.path, blob]))
    return [...[...blobs.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), ...this.#files]
  }

  /**
   * Adds a session as it is now: what is appended meanwhile is not part of it.
   * @throws SessionNotFoundError, InvalidSessionError, SessionChangedError, StorageError, SecretLeftError
   */
  async add(key: string, project: string | undefined): Promise<CollectedSession> {
    const { storage, hasArtifacts, copies } = this.#store
    const stat = await storage.stat(key)
    if (!stat || !(await readHeader(storage, key))) throw noSessionAt(key)
    const stem = `sessions/${this.sessions.length + 1}`
    const counts: Counts = { secrets: 0, unscanned: 0, leftOut: 0, missing: new Set() }
    const blobs = await this.#blobsOf(key)
    const stored = await this.#measured(`${stem}.jsonl`, () => storedBytes(storage, key, stat), blobs, counts)
    const session = await this.#scannedSession(stored, key, blobs, counts)
    const folder = hasArtifacts ? artifactsFolder(key) : undefined
    const found = folder === undefined ? { files: [], leftOut: 0 } : await findArtifacts(folder)
    const artifacts: BundleSource[] = []
    const add = async (artifact: BundleSource): Promise<void> => {
      const scanned = await this.#scanned(artifact, artifact.path, counts)
      if (scanned) artifacts.push(scanned)
    }
    for (const file of found.files)
      await add(await this.#measured(`${stem}/${file.name}`, () => readArtifact(file), blobs, counts))
    for await (const { name, chunks } of (copies && storage.artifacts?.(key)) ?? [])
      if (copies) await add(await copies.keep(`${stem}/${name}`, this.#counted(chunks)))
    this.#files.push(session, ...artifacts)
    this.sessions.push({ path: session.path, ...(project !== undefined && { project }) })
    const { secrets, unscanned, missing } = counts
    const leftOut = counts.leftOut + found.leftOut
    const { size } = session
    return { key, size, artifacts: artifacts.length, secrets, unscanned, leftOut, missingBlobs: [...missing] }
  }

  /** Measures a file, and adds the blobs that it refers to. */
  async #measured(
    path: string,
    open: () => AsyncIterable<Uint8Array>,
    blobs: BlobStore | undefined,
    counts: Counts,
  ): Promise<BundleSource> {
    const named = new Set<string>()
    const source = await measure(
      path,
      () => this.#counted(open()),
      (hash) => named.add(hash),
    )
    for (const hash of named) await this.#addBlob(hash, blobs, counts)
    return source
  }

  async #addBlob(hash: string, blobs: BlobStore | undefined, counts: Counts): Promise<void> {
    if (this.#blobs.has(hash)) return
    try {
      if (!(await blobs?.has(hash)) || !blobs) counts.missing.add(hash)
      else {
        const blob = await measure(`blobs/${hash}`, () => this.#counted(blobs.openRead(hash)))
        // What a session refers to is counted with its lines.
        const scanned = this.#spool ? await this.#scanned(blob, (redacted) => `blobs/${redacted}`, counts) : blob
        if (scanned) this.#blobs.set(hash, scanned)
      }
    } catch (error) {
      if (!isTreelogError(error, "BlobDamagedError") && !isTreelogError(error, "BlobNotFoundError")) throw error
      counts.missing.add(hash)
    }
  }

  /** The session, or a redacted copy. */
  async #scannedSession(
    source: BundleSource,
    key: string,
    blobs: BlobStore | undefined,
    counts: Counts,
  ): Promise<BundleSource> {
    const { storage } = this.#store
    if (!this.#spool) {
      for await (const _ of findSessionSecrets(storage, key, { redaction, blobs })) {
        counts.secrets += 1
        this.#onProgress(0)
      }
      return source
    }
    const session = await new SessionManager({ storage }).open(key, { access: "read" })
    try {
      const exported = exportSession(session, { format: "jsonl", storage, redaction })
      const copy = await this.#spool.keep(source.path, this.#withBlobs(exported))
      counts.leftOut += exported.summary.leftOut
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
      if (this.#spool) counts.leftOut += 1
      return this.#spool ? undefined : source
    }
    const text = await readText(source)
    if (text === undefined) return source
    const { text: redacted, findings } = await redaction.redactText(text)
    counts.secrets += findings.length
    const changed = this.#spool ? this.#named(redacted) : text
    return this.#spool && changed !== text ? this.#spool.keep(name, [changed]) : source
  }

  /** Pieces of whole lines, with the hashes that redacted blobs have. */
  async *#withBlobs(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      this.#onProgress(0)
      yield this.#named(typeof piece === "string" ? piece : Buffer.from(piece).toString())
    }
  }

  #named(text: string): string {
    return text.replace(REFERENCE, (hash) => this.#blobs.get(hash)?.sha256 ?? hash)
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#onProgress(chunk.length)
      yield chunk
    }
  }

  /** One store for each place, however many sessions have their blobs there. */
  #blobsOf(key: string): Promise<BlobStore> | undefined {
    const place = this.#store.blobsOf(key)
    if (!place) return undefined
    const opened = this.#places.get(place.name) ?? place.open("read")
    this.#places.set(place.name, opened)
    return opened
  }
}

/** The bytes that a session had when it was found. */
async function* storedBytes(
  storage: SessionStorage,
  key: string,
  { size, identity }: StorageStat,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = await storage.readRange(key, at, Math.min(BLOCK, size - at), identity)
    if (chunk.length === 0) return
    yield chunk
    at += chunk.length
  }
}

/** The text of a file; undefined where it is not UTF-8. */
async function readText(source: BundleSource): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source.open()) chunks.push(chunk)
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
