import { joinBytes } from "@treelog/session-core/adapter"
import {
  discard,
  errnoOf,
  FILE_MODE,
  type FsPort,
  isStorageFault,
  makeFolder,
  type OpenFile,
  storageError,
  writeWhole,
} from "@treelog-internal/fs"
import { type Content, inFiles, inMemory } from "./content.js"
import { token } from "./digest.js"

/** Up to so many bytes a session can be served from memory, where the disk is full. */
const IN_MEMORY = 16 * 1024 * 1024
export const TEMP_SUFFIX = ".tmp"

export interface CacheFolder {
  readonly fs: FsPort
  /** Undefined keeps everything in memory. */
  readonly folder: string | undefined
  readonly onError: (error: unknown) => void
}

/** Bytes on their way into a file; the first of them also in memory, until they are too many. */
export class TempWriter {
  readonly #options: CacheFolder
  readonly #temp: string | undefined
  #held: Uint8Array[] | undefined = []
  #size = 0
  #file: OpenFile | undefined
  #isMade = false

  constructor(options: CacheFolder, path: string | undefined) {
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
    return inFiles(fs, [{ path, size: this.#size }])
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
