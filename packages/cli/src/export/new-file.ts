import { randomUUID } from "node:crypto"
import { type FileHandle, link, open, rename, stat, unlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { UsageError } from "../errors/usage-error.js"

// Crash argument. All is written to a file beside the one that is meant, synced, and only then given its name: by a link,
// which fails where the name is taken, or with `force` by a rename, which puts it in the old one's place in one step. A
// crash before leaves a file that begins with a dot and ends in `.tmp`; nobody ever sees half of an export under its name.

/** A file that is there when it is whole. */
export class NewFile {
  readonly #path: string
  readonly #temp: string
  readonly #force: boolean
  readonly #file: FileHandle
  #bytes = 0

  private constructor(path: string, temp: string, force: boolean, file: FileHandle) {
    this.#path = path
    this.#temp = temp
    this.#force = force
    this.#file = file
  }

  /** @throws UsageError when there is a file already, StorageError */
  static async begin(path: string, force: boolean): Promise<NewFile> {
    if (!force && (await isThere(path))) throw taken(path)
    const temp = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
    return new NewFile(path, temp, force, await toStorageError(path, () => open(temp, "wx", 0o600)))
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Resolves when the system took all of it. */
  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content
    await toStorageError(this.#path, () => this.#file.writeFile(bytes))
    this.#bytes += bytes.length
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    await toStorageError(this.#path, async () => {
      await this.#file.sync()
      await this.#file.close()
      if (this.#force) await rename(this.#temp, this.#path)
      else await this.#link()
    })
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#file.close()
    if (await isThere(this.#temp)) await unlink(this.#temp)
  }

  async #link(): Promise<void> {
    try {
      await link(this.#temp, this.#path)
    } catch (error) {
      if (errnoOf(error) === "EEXIST") throw taken(this.#path)
      if (!NO_LINKS.has(errnoOf(error) ?? "")) throw error
      // A file system without links: the name is reserved first, so that no other file is replaced.
      await (await open(this.#path, "wx", 0o600)).close()
      await rename(this.#temp, this.#path)
      return
    }
    await unlink(this.#temp)
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

function taken(path: string): UsageError {
  return new UsageError(`${path} exists; --force overwrites it.`, { path })
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return false
    throw error
  }
}

async function toStorageError<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === undefined || cause instanceof UsageError) throw cause
    throw new TreelogError(
      "StorageError",
      `Cannot write ${key}: ${errno}.`,
      { key, operation: "write", errno },
      { cause },
    )
  }
}

function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined
}
