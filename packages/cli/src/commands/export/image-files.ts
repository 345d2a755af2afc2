import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { basename, extname, join } from "node:path"
import type { ExportedImage } from "@treelog/export"
import { beginFile } from "../../io/new-file.js"

/** Extensions that are not the subtype. */
const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: "jpg", "svg+xml": "svg" }

/** The images of a document as files in a folder beside it: `talk.images/` of `talk.md`. Each is named by its hash. */
export class ImageFiles {
  readonly #folder: string
  readonly #waiting = new Map<string, Buffer>()
  readonly #written = new Set<string>()
  /** Of them, those that were not there before. */
  readonly #created = new Set<string>()

  /** @param document the path of its file */
  constructor(document: string) {
    this.#folder = `${document.slice(0, document.length - extname(document).length)}.images`
  }

  /** Its address in a document, which is a link there. */
  addressOf(image: ExportedImage): string {
    const path = this.pathOf(image).split("/").map(encodeURIComponent).join("/")
    return path.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))
  }

  /** Its path from the folder of the document, with `/`. */
  pathOf({ mimeType, data }: ExportedImage): string {
    const bytes = Buffer.from(data, "base64")
    const subtype = mimeType.replace(/^image\//i, "").toLowerCase()
    const hash = createHash("sha256").update(bytes).digest("hex")
    const name = `${hash.slice(0, 16)}.${EXTENSIONS[subtype] ?? subtype.replace(/[^a-z0-9]/g, "")}`
    if (!this.#written.has(name)) this.#waiting.set(name, bytes)
    return `${basename(this.#folder)}/${name}`
  }

  /** Writes those whose address or path was asked for. @throws StorageError */
  async write(): Promise<void> {
    if (this.#waiting.size > 0) await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const [name, bytes] of this.#waiting) {
      const path = join(this.#folder, name)
      if (!existsSync(path)) this.#created.add(path)
      const file = await beginFile(path, true)
      try {
        await file.write(bytes)
        await file.finish()
      } catch (error) {
        await file.discard()
        throw error
      }
      this.#written.add(name)
      this.#waiting.delete(name)
    }
  }

  /** Removes the files that are new, where there is no document. */
  async discard(): Promise<void> {
    for (const path of this.#created) await rm(path, { force: true })
  }
}
