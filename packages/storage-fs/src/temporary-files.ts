import type { FsPort } from "./fs-port.js"
import { errnoOf, isErrno } from "./storage-error.js"

/**
 * Files that were of use for a moment. That one cannot be removed does no harm to what was achieved with it, so
 * nothing is undone for it; it is remembered, and removed when the lease ends, which then fails if it still cannot be.
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
}
