import { type FsPort, identityOf, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import type { FileNotes } from "../agent-source.js"
import { wholeFile } from "../whole-file.js"

/** What files say that are read for a list: each once for each of its versions, also in later processes. */
export class FileFacts {
  readonly #fs: FsPort
  readonly #known = new Map<string, { readonly version: string; readonly facts: object }>()
  #notes: FileNotes | undefined

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  useNotes(notes: FileNotes): void {
    this.#notes = notes
  }

  /** @param read what the bytes of the file say, as plain JSON @returns undefined where there is no such file @throws StorageError */
  async of(path: string, read: (bytes: Uint8Array) => object): Promise<object | undefined> {
    const stat = await withStorageErrors(path, "stat", () => statIfThere(this.#fs, path))
    if (!stat?.isFile()) return undefined
    const version = `${identityOf(stat)} ${stat.size} ${stat.mtimeNs}`
    const known = this.#known.get(path)
    if (known?.version === version) return known.facts
    const noted = this.#notes?.get(path, version)
    const facts = noted ?? read(wholeFile(this.#fs, path).bytes)
    this.#known.set(path, { version, facts })
    if (!noted) this.#notes?.put(path, version, facts)
    return facts
  }
}
