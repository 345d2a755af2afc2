import { join } from "node:path"
import { joinBytes } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import { discard, fileChunks, isGone, isStat, isStorageFault, statMany } from "@treelog-internal/fs"
import { type Content, inFiles } from "./content.js"
import { digestOf, sha256 } from "./digest.js"
import {
  type Beginning,
  Comparison,
  chunksOfRanges,
  digestOfAll,
  type Piece,
  type Segment,
  type SessionFiles,
  sizeOf,
  takeShort,
} from "./segments.js"
import { type CacheFolder, TEMP_SUFFIX, TempWriter } from "./temp-writer.js"

// Why a crash, damage, a full disk and other processes do no harm. A file is written under a temporary name, renamed when it is complete,
// and never changed; its name has the digest of its bytes. It is not synced, so a power failure may leave any bytes: they are compared
// with the digest when a process opens the file for the first time. What is missing or damaged is converted again. A session that has grown is
// the beginning of its former files and a new one; they are removed once its row names the new one, and a row that names removed ones is no more
// than a session that has to be converted.

/** Whenever such a part of the limit was written, the files are counted. */
const SWEEPS = 8
/** A temporary file of that age is of a process that died. Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000
const SUFFIX = ".jsonl"
const STATE_SUFFIX = ".state"
/** So exactly it is known when a file was used last. Milliseconds. */
const USED = 60 * 60 * 1000
/** Digits of digests in names. */
const DIGITS = 24

export interface ConvertedFilesOptions extends CacheFolder {
  /** Bytes. */
  readonly maxBytes: number
}

export interface StoreOptions {
  /** What stands before the new bytes; it is not written again unless it is short. */
  readonly beginning?: Pick<Beginning, "segments"> | undefined
  /** What the session was before, behind that. */
  readonly former?: readonly Piece[] | undefined
  /** The place at which a later conversion will go on. Asked after each chunk, whose end may lie before it; undefined where there is none yet. Bytes */
  readonly mark?: () => number | undefined
}

/** Bytes that were stored. */
export interface Stored {
  readonly content: Content
  readonly size: number
  readonly digest: string
  readonly segments: readonly Segment[]
  /** Whether they begin with the former ones. */
  readonly continues: boolean
  /** What the last segment has before the mark. */
  readonly cut: Piece | undefined
}

/** The bytes of converted sessions in files, within a total size: those that were not used for longest are removed. */
export class ConvertedFiles {
  readonly #options: ConvertedFilesOptions
  /** Files whose bytes were compared with their digest. */
  readonly #verified = new Set<string>()
  /** The state that was read or written last: of a session that is watched, each line asks for it. */
  #lastState: { readonly path: string; readonly text: string } | undefined
  /** Bytes since the last sweep. */
  #written = Number.POSITIVE_INFINITY

  constructor(options: ConvertedFilesOptions) {
    this.#options = options
  }

  /** Undefined where they are not there, or damaged. */
  async find(key: string, segments: readonly Segment[]): Promise<Content | undefined> {
    for (const { size, digest, file = { size, digest } } of segments)
      if (!(await this.#use(this.#pathOf(key, file.digest), file))) return undefined
    return this.#joined(key, segments)
  }

  /**
   * Stores the bytes of a session. Small ones are kept in memory where they cannot be written.
   * @throws StorageError
   */
  async store(key: string, chunks: AsyncIterable<Uint8Array>, options: StoreOptions = {}): Promise<Stored> {
    const { beginning = { segments: [] }, former, mark = () => undefined } = options
    const kept = [...beginning.segments]
    const merged = takeShort(kept, sizeOf(former ?? []))
    const base = sizeOf(kept)
    const hash = sha256()
    const comparison = former && new Comparison(former)
    const writer = new TempWriter(this.#options, this.#pathOf(key, ""))
    let size = 0
    let cut: Piece | undefined
    const add = async (chunk: Uint8Array): Promise<void> => {
      const marked = (mark() ?? base) - base - size
      if (marked > 0 && marked <= chunk.length)
        cut = { size: size + marked, digest: hash.copy().update(chunk.subarray(0, marked)).digest("hex") }
      hash.update(chunk)
      size += chunk.length
      await writer.write(chunk)
    }
    try {
      for (const chunk of this.#chunksOf(key, merged)) await add(chunk)
      for await (const chunk of chunks) {
        comparison?.add(chunk)
        await add(chunk)
      }
      const written = { size, digest: hash.digest("hex") }
      const content = await writer.finish(this.#pathOf(key, written.digest))
      const segments = [...kept, written]
      if (!content.isInMemory) {
        this.#verified.add(this.#pathOf(key, written.digest) ?? "")
        await this.#makeRoom(key, segments, size)
      }
      return {
        content: content.isInMemory ? content : this.#joined(key, segments),
        ...{ size: base + size, digest: digestOfAll(segments), segments, cut },
        continues: comparison?.isEqual ?? false,
      }
    } finally {
      await writer.close()
    }
  }

  /** The state of a conversion; undefined where it is not there, or damaged. */
  async state(key: string, digest: string): Promise<unknown> {
    const path = this.#pathOf(key, digest, STATE_SUFFIX)
    if (path === undefined) return undefined
    if (this.#lastState?.path === path) return JSON.parse(this.#lastState.text)
    const chunks: Uint8Array[] = []
    const isRead = await this.#unlessFaulty(async () => {
      for await (const chunk of fileChunks(this.#options.fs, path)) chunks.push(new Uint8Array(chunk))
      return true
    })
    const bytes = joinBytes(chunks)
    if (!isRead || sha256().update(bytes).digest("hex") !== digest) return undefined
    const text = Buffer.from(bytes).toString()
    this.#lastState = { path, text }
    return JSON.parse(text)
  }

  /** @returns its digest; undefined where it cannot be written */
  async storeState(key: string, state: object): Promise<string | undefined> {
    const text = jsonText(state)
    const bytes = Buffer.from(text)
    const digest = sha256().update(bytes).digest("hex")
    const path = this.#pathOf(key, digest, STATE_SUFFIX)
    if (path === undefined) return undefined
    const writer = new TempWriter(this.#options, path)
    try {
      await writer.write(bytes)
      const { isInMemory } = await writer.finish(path)
      if (isInMemory) return undefined
      this.#lastState = { path, text }
      return digest
    } finally {
      await writer.close()
    }
  }

  /** Removes the files of a session but those that it still has. */
  remove(key: string, former: SessionFiles, current: SessionFiles): void {
    const kept = new Set(this.#pathsOf(key, current))
    for (const path of this.#pathsOf(key, former)) if (!kept.has(path)) discard(this.#options.fs, path)
  }

  #pathsOf(key: string, { segments, state }: SessionFiles): string[] {
    const paths = segments.map(({ digest, file }) => this.#pathOf(key, file?.digest ?? digest))
    if (state !== undefined) paths.push(this.#pathOf(key, state, STATE_SUFFIX))
    return paths.filter((path) => path !== undefined)
  }

  #joined(key: string, segments: readonly Segment[]): Content {
    const files = segments.map(({ size, digest, file }) => ({
      path: this.#pathOf(key, file?.digest ?? digest) ?? "",
      size,
    }))
    return inFiles(this.#options.fs, files)
  }

  *#chunksOf(key: string, segments: readonly Segment[]): Generator<Uint8Array> {
    if (segments.length === 0) return
    const ranges = this.#joined(key, segments).open(key)
    try {
      yield* chunksOfRanges(ranges, 0, sizeOf(segments))
    } finally {
      ranges.close()
    }
  }

  /** Whether a file is there and intact. */
  async #use(path: string | undefined, { size, digest }: Piece): Promise<boolean> {
    if (path === undefined) return false
    const { fs } = this.#options
    const isThere = await this.#unlessFaulty(async () => {
      // Without promises: a search reads a few bytes of each of thousands of sessions.
      const stat = fs.statSync(path)
      if (!stat?.isFile()) return false
      if (Number(stat.size) !== size || !(await this.#isIntact(path, digest))) {
        discard(fs, path)
        return false
      }
      const now = Date.now()
      if (now - Number(stat.mtimeNs / 1_000_000n) > USED) await fs.utimes(path, now / 1000, now / 1000)
      return true
    })
    return isThere === true
  }

  async #unlessFaulty<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!isStorageFault(error)) throw error
      if (!isGone(error)) this.#options.onError(error)
      return undefined
    }
  }

  #pathOf(key: string, digest: string, suffix = SUFFIX): string | undefined {
    const { folder } = this.#options
    return folder && join(folder, `${digestOf(key).slice(0, DIGITS)}-${digest.slice(0, DIGITS)}${suffix}`)
  }

  async #isIntact(path: string, digest: string): Promise<boolean> {
    if (this.#verified.has(path)) return true
    const hash = sha256()
    for await (const chunk of fileChunks(this.#options.fs, path)) hash.update(chunk)
    if (hash.digest("hex") !== digest) return false
    this.#verified.add(path)
    return true
  }

  /** Removes from time to time what is too much. */
  async #makeRoom(key: string, written: readonly Segment[], size: number): Promise<void> {
    const { maxBytes } = this.#options
    this.#written += size
    if (this.#written < maxBytes / SWEEPS) return
    this.#written = 0
    await this.#sweep(new Set(this.#pathsOf(key, { segments: written })))
  }

  /** Removes orphaned temporary files, and what was not used for longest if there is too much. */
  async #sweep(written: ReadonlySet<string>): Promise<void> {
    const { fs, folder = "", maxBytes, onError } = this.#options
    try {
      const paths = (await fs.readdir(folder)).map(({ name }) => join(folder, name))
      const stats = await statMany(fs, paths)
      const kept: { path: string; size: number; used: bigint }[] = []
      for (const [index, path] of paths.entries()) {
        const stat = stats[index]
        if (!isStat(stat) || !stat.isFile()) continue
        if (!path.endsWith(TEMP_SUFFIX)) kept.push({ path, size: Number(stat.size), used: stat.mtimeNs })
        else if (Date.now() - Number(stat.mtimeNs / 1_000_000n) > ABANDONED) discard(fs, path)
      }
      let total = kept.reduce((sum, { size }) => sum + size, 0)
      kept.sort((a, b) => (a.used < b.used ? -1 : 1))
      for (const { path, size } of kept) {
        if (total <= maxBytes) break
        if (written.has(path)) continue
        discard(fs, path)
        total -= size
      }
    } catch (error) {
      if (!isStorageFault(error)) throw error
      onError(error)
    }
  }
}
