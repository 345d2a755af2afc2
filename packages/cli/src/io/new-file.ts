import { randomUUID } from "node:crypto"
import { basename, dirname, join } from "node:path"
import {
  discard,
  FILE_MODE,
  type FsPort,
  nodeFs,
  type OpenFile,
  placeNew,
  statIfThere,
  withStorageErrors,
  writeWhole,
} from "@treelog-internal/fs"
import { UsageError } from "../errors/exit-codes.js"

// Crash argument. All is written to a temporary file beside the target, synced, and only then given its name: by a call
// that fails where the name is taken, or with `force` by a rename, which replaces the old file in one step. A crash before
// leaves a file whose name begins with a dot and ends in `.tmp`; a partial export never has its final name.

/** A file that appears under its name when it is complete. */
export class NewFile {
  readonly #fs: FsPort
  readonly #path: string
  readonly #temp: string
  readonly #force: boolean
  #file: OpenFile | undefined
  #bytes = 0

  private constructor(fs: FsPort, path: string, temp: string, force: boolean, file: OpenFile) {
    this.#fs = fs
    this.#path = path
    this.#temp = temp
    this.#force = force
    this.#file = file
  }

  /** @throws UsageError when there is a file already, or no folder for one; StorageError */
  static async begin(path: string, force: boolean, fs: FsPort = nodeFs): Promise<NewFile> {
    return withStorageErrors(path, "write", async () => {
      if (!force && (await statIfThere(fs, path))) throw taken(path)
      if (!(await statIfThere(fs, dirname(path)))) throw noFolder(path)
      const temp = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
      return new NewFile(fs, path, temp, force, await fs.open(temp, "wx", FILE_MODE))
    })
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Resolves when the system took all of it. */
  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content
    await withStorageErrors(this.#path, "write", async () => this.#file && writeWhole(this.#file, bytes, null))
    this.#bytes += bytes.length
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    await withStorageErrors(this.#path, "write", async () => {
      await this.#file?.sync()
      await this.#close()
      if (this.#force) return this.#fs.rename(this.#temp, this.#path)
      if (!placeNew(this.#fs, this.#temp, this.#path)) throw taken(this.#path)
      discard(this.#fs, this.#temp)
    })
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    try {
      await this.#close()
    } finally {
      discard(this.#fs, this.#temp)
    }
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}

function noFolder(path: string): UsageError {
  return new UsageError(`There is no folder ${dirname(path)} to write ${basename(path)} in: create it first.`, { path })
}

function taken(path: string): UsageError {
  return new UsageError(`${path} exists; --force overwrites it.`, { path })
}
