import type { FsPort } from "./fs-port.js"
import { errnoOf, isErrno } from "./storage-error.js"

/** Removes a temporary file. One that cannot be removed does no harm: whoever looks for orphaned files removes it later. */
export async function discard(fs: FsPort, path: string): Promise<void> {
  await new TemporaryFiles(fs).discard(path)
}

/**
 * Removes temporary files and folders. That one cannot be removed undoes nothing of what was achieved with it: it is
 * remembered, and `removeAll` tries once more, and fails if it still cannot be removed.
 */
export class TemporaryFiles {
  readonly #fs: FsPort
  readonly #paths = new Set<string>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  async discard(path: string): Promise<void> {
    try {
      await this.#fs.unlink(path)
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      if (!isErrno(error, "ENOENT")) this.#paths.add(path)
    }
  }

  discardSync(path: string): void {
    try {
      this.#fs.unlinkSync(path)
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      if (!isErrno(error, "ENOENT")) this.#paths.add(path)
    }
  }

  async discardFolder(path: string): Promise<void> {
    try {
      await this.#fs.rm(path, { recursive: true, force: true })
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      this.#paths.add(path)
    }
  }

  async removeAll(): Promise<void> {
    for (const path of this.#paths) {
      await this.#fs.rm(path, { recursive: true, force: true })
      this.#paths.delete(path)
    }
  }

  removeAllSync(): void {
    for (const path of this.#paths) {
      this.#fs.rmSync(path, { recursive: true, force: true })
      this.#paths.delete(path)
    }
  }
}
