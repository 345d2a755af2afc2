import { join } from "node:path"
import { FILE_MODE, type FsPort, fileChunks, writeWhole } from "@treelog-internal/fs"
import { type BundleSource, measure } from "./measure.js"

/** A folder for copies, redacted ones or of what is no file, until they are in the bundle. */
export class Spool {
  readonly #fs: FsPort
  readonly #folder: string
  #count = 0

  constructor(fs: FsPort, folder: string) {
    this.#fs = fs
    this.#folder = folder
  }

  /** @param name the path in the bundle, or how it follows from the hash */
  async keep(
    name: string | ((hash: string) => string),
    parts: AsyncIterable<string | Uint8Array> | Iterable<string>,
  ): Promise<BundleSource> {
    this.#count += 1
    const path = join(this.#folder, String(this.#count))
    const file = await this.#fs.open(path, "wx", FILE_MODE)
    try {
      for await (const part of parts) await writeWhole(file, Buffer.from(part as string), null)
    } finally {
      await file.close()
    }
    const source = await measure("", () => fileChunks(this.#fs, path))
    return { ...source, path: typeof name === "string" ? name : name(source.sha256) }
  }
}
