import { join } from "node:path"
import { FILE_MODE, type FsPort, fileChunks, writeWhole } from "@treelog-internal/fs"
import { type BundleSource, measure } from "./measure.js"

/** A folder for redacted copies, until they are in the bundle. */
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
    texts: AsyncIterable<string> | Iterable<string>,
  ): Promise<BundleSource> {
    this.#count += 1
    const path = join(this.#folder, String(this.#count))
    const file = await this.#fs.open(path, "wx", FILE_MODE)
    try {
      for await (const text of texts) await writeWhole(file, Buffer.from(text), null)
    } finally {
      await file.close()
    }
    const source = await measure("", () => fileChunks(this.#fs, path))
    return { ...source, path: typeof name === "string" ? name : name(source.sha256) }
  }
}
