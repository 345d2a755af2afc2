import { TreelogError } from "@treelog/session-core"
import { webDigest } from "@treelog/session-core/adapter"
import type { BlobSource } from "./session-source.js"

/** Blobs that were dropped as files. The content of a file must match the hash in its name. */
export class FileBlobs implements BlobSource {
  readonly #files = new Map<string, File>()

  add(files: ReadonlyMap<string, File>): void {
    for (const [hash, file] of files) this.#files.set(hash, file)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const file = this.#files.get(hash)
    if (!file) return undefined
    const bytes = new Uint8Array(await file.arrayBuffer())
    const actual = await webDigest.sha256(bytes)
    if (actual === hash) return bytes
    const message = `The content of the file ${file.name} does not match the hash in its name.`
    throw new TreelogError("BlobDamagedError", message, { hash, actual, quarantine: undefined })
  }
}
