import type { FsPort } from "./fs-port.js"
import { errnoOf, isErrno } from "./storage-error.js"

/** Removes a temporary file. One that cannot be removed does no harm: the search for orphaned files removes it later. */
export function discard(fs: FsPort, path: string): void {
  new TemporaryFiles(fs).discard(path)
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

  /** Leaves a file or folder to `removeAll`. */
  add(path: string): void {
    this.#paths.add(path)
  }

  discard(path: string): void {
    this.#unlessFaulty(path, () => this.#fs.unlinkSync(path))
  }

  discardFolder(path: string): void {
    this.#unlessFaulty(path, () => this.#fs.rmSync(path, { recursive: true, force: true }))
  }

  removeAll(): void {
    for (const path of this.#paths) {
      this.#fs.rmSync(path, { recursive: true, force: true })
      this.#paths.delete(path)
    }
  }

  #unlessFaulty(path: string, remove: () => void): void {
    try {
      remove()
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      if (!isErrno(error, "ENOENT")) this.#paths.add(path)
    }
  }
}
