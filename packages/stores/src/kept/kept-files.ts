import type { SessionSource } from "@treelog/session-core"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { artifactsFolder, FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import { nodeFs } from "@treelog-internal/fs"
import { beginsWith } from "./compare-files.js"
import { lostCopies } from "./lost-copies.js"

/** The store that files are copies of. */
export interface OriginalFiles {
  readonly storage: FileSessionStorage
  /** Where it has the file of a copy. Absolute paths. */
  readonly pathOf: (copy: string) => string
}

/** The copies of a store of files: of its sessions, those of which it lacks something. What is in its trash it has. */
export class KeptFiles extends FileSessionStorage {
  protected override readonly sessionsAre = "kept"
  readonly #folder: string
  readonly #original: OriginalFiles

  /** @param folder of the copies, an absolute path */
  constructor(folder: string, options: FileSessionStorageOptions, original: OriginalFiles) {
    super(options)
    this.#folder = folder
    this.#original = original
  }

  protected override async *names(filter: ListFilter): AsyncGenerator<readonly StoredName[]> {
    const { storage, pathOf } = this.#original
    const lost = await lostCopies(this.#folder, pathOf)
    if (lost.size === 0) return
    const trashed = new Map<string, string>()
    for await (const { path, from, error } of storage.trash.list({ signal: filter.signal }))
      if (!error) trashed.set(from, path)
    const isLost = async (key: string): Promise<boolean> => {
      if (!lost.has(key) && !lost.has(artifactsFolder(key) ?? "")) return false
      const path = trashed.get(pathOf(key))
      return path === undefined || !(await beginsWith(nodeFs, path, key))
    }
    for await (const names of super.names({ ...filter, parts: false })) {
      const listed: StoredName[] = []
      for (const name of names)
        if (name.error || (await isLost(name.key))) {
          listed.push(name)
          if (filter.parts) for await (const part of this.parts(name.key)) listed.push(part)
        }
      yield listed
    }
  }
}

/** What reads sessions of files, and writes none. */
export function onlyReading(files: FileSessionStorage): SessionSource {
  return {
    keyFromRef: (ref) => files.keyFromRef(ref),
    isInside: (key) => files.isInside(key),
    folderOf: (key) => files.folderOf(key),
    stat: (key) => files.stat(key),
    list: (filter) => files.list(filter),
    find: (id, options) => files.find(id, options),
    readRange: (...range) => files.readRange(...range),
    openRanges: (key, identity) => files.openRanges(key, identity),
    artifacts: (key) => files.artifacts(key),
    parts: (key) => files.parts(key),
    watch: (key, signal) => files.watch(key, signal),
    get summaries() {
      return files.summaries
    },
  }
}
