import { identityOf, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { wholeFile } from "../whole-file.js"
import type { StoreOptions } from "./record-store.js"

/** What files say that are read for a list: each once for each of its versions, also in later processes. */
export class FileFacts {
  readonly #options: Pick<StoreOptions, "fs" | "notes">
  readonly #known = new Map<string, { readonly version: string; readonly facts: object }>()

  constructor(options: Pick<StoreOptions, "fs" | "notes">) {
    this.#options = options
  }

  /** @param read what the bytes of the file say, as plain JSON @returns undefined where there is no such file @throws StorageError */
  async of(path: string, read: (bytes: Uint8Array) => object): Promise<object | undefined> {
    const { fs, notes } = this.#options
    const stat = await withStorageErrors(path, "stat", () => statIfThere(fs, path))
    if (!stat?.isFile()) return undefined
    const version = `${identityOf(stat)} ${stat.size} ${stat.mtimeNs}`
    const known = this.#known.get(path)
    if (known?.version === version) return known.facts
    const noted = notes.get(path, version)
    const facts = noted ?? read(wholeFile(fs, path).bytes)
    this.#known.set(path, { version, facts })
    if (!noted) notes.put(path, version, facts)
    return facts
  }
}
