import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FILE_MODE, FOLDER_MODE, type FsPort, fileChunks, withStorageErrors, writeWhole } from "@treelog-internal/fs"
import { type BundleSource, measure } from "./measure.js"

/** A folder for copies, of what can be read once or was redacted, until they are in the bundle. Made with the first copy. */
export class Spool {
  readonly #fs: FsPort
  readonly #folder: string
  #count = 0

  /** @param parent an absolute path */
  constructor(fs: FsPort, parent = tmpdir()) {
    this.#fs = fs
    this.#folder = join(parent, `treelog-bundle-${randomBytes(8).toString("hex")}`)
  }

  /**
   * @param name the path in the bundle, or how it follows from the hash
   * @param blobs gets the hash of each blob that the copy refers to
   */
  async keep(
    name: string | ((hash: string) => string),
    parts: AsyncIterable<string | Uint8Array> | Iterable<string>,
    blobs?: Set<string>,
  ): Promise<BundleSource> {
    if (this.#count === 0) await this.#fs.mkdir(this.#folder, { recursive: false, mode: FOLDER_MODE })
    this.#count += 1
    const path = join(this.#folder, String(this.#count))
    const file = await this.#fs.open(path, "wx", FILE_MODE)
    try {
      for await (const part of parts) await writeWhole(file, Buffer.from(part as string), null)
    } finally {
      await file.close()
    }
    const source = await measure("", () => fileChunks(this.#fs, path), blobs)
    return { ...source, path: typeof name === "string" ? name : name(source.sha256) }
  }

  /** @throws StorageError */
  remove(): Promise<void> {
    return withStorageErrors(this.#folder, "remove", () => this.#fs.rm(this.#folder, { recursive: true, force: true }))
  }
}
