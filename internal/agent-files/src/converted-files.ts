import { join } from "node:path"
import { joinBytes } from "@treelog/session-core/adapter"
import {
  discard,
  errnoOf,
  FILE_MODE,
  type FsPort,
  fileChunks,
  isGone,
  isStat,
  isStorageFault,
  makeFolder,
  type OpenFile,
  statMany,
  storageError,
  writeWhole,
} from "@treelog-internal/fs"
import { type Content, inFile, inMemory } from "./content.js"
import { digestOf, sha256, token } from "./digest.js"

// Why a crash, damage, a full disk and other processes do no harm. A file is written under a temporary name, renamed when it is complete,
// and never changed; its name has the digest of its bytes. It is not synced, so a power failure may leave any bytes: they are compared
// with the digest when a process opens the file for the first time. What is missing or damaged is converted again.

/** Up to so many bytes a session can be served from memory, where the disk is full. */
const IN_MEMORY = 16 * 1024 * 1024
/** Whenever such a part of the limit was written, the files are counted. */
const SWEEPS = 8
/** A temporary file of that age is of a process that died. Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000
const SUFFIX = ".jsonl"
const TEMP_SUFFIX = ".tmp"
/** So exactly it is known when a file was used last. Milliseconds. */
const USED = 60 * 60 * 1000
/** Digits of digests in names. */
const DIGITS = 24

export interface ConvertedFilesOptions {
  readonly fs: FsPort
  /** Undefined keeps everything in memory. */
  readonly folder: string | undefined
  /** Bytes. */
  readonly maxBytes: number
  readonly onError: (error: unknown) => void
}

/** Bytes that were stored. */
export interface Stored {
  readonly content: Content
  readonly size: number
  readonly digest: string
  /** Whether they begin with the former ones. */
  readonly continues: boolean
}

/** The bytes of converted sessions in files, within a total size: those that were not used for longest are removed. */
export class ConvertedFiles {
  readonly #options: ConvertedFilesOptions
  /** Files whose bytes were compared with their digest. */
  readonly #verified = new Set<string>()
  /** Bytes since the last sweep. */
  #written = Number.POSITIVE_INFINITY

  constructor(options: ConvertedFilesOptions) {
    this.#options = options
  }

  /** Undefined where they are not there, or damaged. */
  async find(key: string, size: number, digest: string): Promise<Content | undefined> {
    const path = this.#pathOf(key, digest)
    if (path === undefined) return undefined
    const { fs, onError } = this.#options
    try {
      // Without promises: a search reads a few bytes of each of thousands of sessions.
      const stat = fs.statSync(path)
      if (!stat?.isFile()) return undefined
      if (Number(stat.size) !== size || !(await this.#isIntact(path, digest))) {
        discard(fs, path)
        return undefined
      }
      const now = Date.now()
      if (now - Number(stat.mtimeNs / 1_000_000n) > USED) await fs.utimes(path, now / 1000, now / 1000)
      return inFile(fs, path)
    } catch (error) {
      if (!isStorageFault(error)) throw error
      if (!isGone(error)) onError(error)
      return undefined
    }
  }

  /**
   * Stores the bytes of a session, in the place of its former ones. Small ones are kept in memory where they cannot be written.
   * @throws StorageError
   */
  async store(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    former?: { size: number; digest: string },
  ): Promise<Stored> {
    const hash = sha256()
    const writer = new TempWriter(this.#options, this.#pathOf(key, ""))
    let size = 0
    let beginning: string | undefined
    try {
      for await (const chunk of chunks) {
        const rest = (former?.size ?? 0) - size
        if (rest > 0 && rest <= chunk.length) beginning = hash.copy().update(chunk.subarray(0, rest)).digest("hex")
        hash.update(chunk)
        size += chunk.length
        await writer.write(chunk)
      }
      const digest = hash.digest("hex")
      const content = await writer.finish(this.#pathOf(key, digest))
      if (content.path !== undefined) {
        this.#verified.add(content.path)
        await this.#makeRoom(content.path, size, former && this.#pathOf(key, former.digest))
      }
      return { content, size, digest, continues: former !== undefined && beginning === former.digest }
    } finally {
      await writer.close()
    }
  }

  #pathOf(key: string, digest: string): string | undefined {
    const { folder } = this.#options
    return folder && join(folder, `${digestOf(key).slice(0, DIGITS)}-${digest.slice(0, DIGITS)}${SUFFIX}`)
  }

  async #isIntact(path: string, digest: string): Promise<boolean> {
    if (this.#verified.has(path)) return true
    const hash = sha256()
    for await (const chunk of fileChunks(this.#options.fs, path)) hash.update(chunk)
    if (hash.digest("hex") !== digest) return false
    this.#verified.add(path)
    return true
  }

  /** Removes the former bytes of the session and, from time to time, what is too much. */
  async #makeRoom(written: string, size: number, former: string | undefined): Promise<void> {
    const { fs, maxBytes } = this.#options
    if (former !== undefined && former !== written) discard(fs, former)
    this.#written += size
    if (this.#written < maxBytes / SWEEPS) return
    this.#written = 0
    await this.#sweep(written)
  }

  /** Removes orphaned temporary files, and what was not used for longest if there is too much. */
  async #sweep(written: string): Promise<void> {
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
        if (path === written) continue
        discard(fs, path)
        total -= size
      }
    } catch (error) {
      if (!isStorageFault(error)) throw error
      onError(error)
    }
  }
}

/** Bytes on their way into a file; the first of them also in memory, until they are too many. */
class TempWriter {
  readonly #options: ConvertedFilesOptions
  readonly #temp: string | undefined
  #held: Uint8Array[] | undefined = []
  #size = 0
  #file: OpenFile | undefined
  #isMade = false

  constructor(options: ConvertedFilesOptions, path: string | undefined) {
    this.#options = options
    this.#temp = path && `${path}.${token()}${TEMP_SUFFIX}`
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length
    if (!this.#held) return this.#put(chunk)
    // A copy: `slice` of a Buffer is none.
    this.#held.push(new Uint8Array(chunk))
    if (this.#temp === undefined || this.#size <= IN_MEMORY) return
    const held = this.#held
    this.#held = undefined
    for (const each of held) await this.#put(each)
  }

  async finish(path: string | undefined): Promise<Content> {
    const { fs, onError } = this.#options
    const held = this.#held && joinBytes(this.#held)
    if (path === undefined || this.#temp === undefined) return inMemory(held ?? new Uint8Array())
    try {
      if (held) await this.#put(held)
      await this.#file?.close()
      this.#file = undefined
      await fs.rename(this.#temp, path)
    } catch (error) {
      if (!isStorageFault(error) || !held) throw failure(path, error)
      onError(error)
      return inMemory(held)
    }
    return inFile(fs, path)
  }

  /** Removes the temporary file, if it is still there. */
  async close(): Promise<void> {
    await this.#file?.close()
    if (this.#temp !== undefined && this.#isMade) discard(this.#options.fs, this.#temp)
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const { fs, folder = "" } = this.#options
    try {
      if (!this.#file) {
        makeFolder(fs, folder)
        this.#file = await fs.open(this.#temp ?? "", "wx", FILE_MODE)
        this.#isMade = true
      }
      await writeWhole(this.#file, bytes, null)
    } catch (error) {
      throw failure(folder, error)
    }
  }
}

function failure(path: string, error: unknown): unknown {
  const errno = errnoOf(error)
  if (errno === undefined) return error
  const free = errno === "ENOSPC" || errno === "EDQUOT" ? "Free disk space, or name" : "Name"
  const hint = new Error(`${errno}. ${free} another folder with TREELOG_CACHE_DIR`)
  return Object.assign(storageError(path, "store a converted session in", undefined, hint), { cause: error })
}
