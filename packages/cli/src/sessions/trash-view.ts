import { TreelogError } from "@treelog/session-core"
import { isWritable } from "@treelog/session-core/adapter"
import { type FileTrash, type TrashedSession, TrashedSessionStorage } from "@treelog/storage-fs"
import { fileStorageOptions, type ListedSource, type OpenStore } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore, meantStores, openNamedStore } from "../store/chosen-store.js"
import { requireFiles } from "../store/command-sessions.js"
import { cwdIn } from "../store/scope.js"
import { type Failure, failureOf } from "../store/stored-keys.js"

/** The trash of every store that is meant. The sessions of an agent have none. */
export class Trashes {
  readonly #context: CommandContext
  readonly #stores: readonly NonNullable<OpenStore["files"]>[]

  constructor(context: CommandContext, stores: readonly NonNullable<OpenStore["files"]>[]) {
    this.#context = context
    this.#stores = stores
  }

  /** @throws UsageError for a database, which has none; ReadOnlyStorageError for an agent that an option names */
  static async of(context: CommandContext): Promise<Trashes> {
    const stores: NonNullable<OpenStore["files"]>[] = []
    for (const { program, options } of await meantStores(context)) {
      const store = await openNamedStore(context, chosenStore({ io: context.io, options }).name)
      if (!isWritable(store.storage) && program !== undefined) continue
      stores.push(requireFiles(store, "The trash", "it has none, and `treelog delete --permanent` deletes for good"))
    }
    return new Trashes(context, stores)
  }

  /** The sessions in them, by store. */
  sources(): ListedSource[] {
    return this.#stores.map(({ name }) => ({
      name: `the trash of ${name.agentDir}`,
      storage: new TrashedSessionStorage(fileStorageOptions(this.#context.io.env, name)),
      madeBy: "",
      projectOf: () => undefined,
    }))
  }

  /** For a path that no list has: what is restored knows where it was. @throws SessionNotFoundError where there is no store */
  first(): FileTrash {
    const [store] = this.#stores
    if (store) return store.storage.trash
    throw new TreelogError("SessionNotFoundError", "There is no trash: no store on this machine can be changed.", {
      ref: "",
    })
  }

  /** Everything in them, or with `--cwd` in the folders that may hold sessions of that one; most recently deleted first. */
  async list(): Promise<TrashFound> {
    return this.#listed((trash, filter) => trash.list(filter))
  }

  /** The backups of repairs and migrations, which are beside their sessions, in the same way. */
  async backups(): Promise<TrashFound<BackupItem>> {
    return this.#listed((trash, filter) => trash.backups(filter))
  }

  async #listed<Item extends TrashedSession>(
    list: (trash: FileTrash, filter: Parameters<FileTrash["list"]>[0]) => AsyncIterable<Item>,
  ): Promise<TrashFound<Item & { readonly trash: FileTrash }>> {
    const { io, options } = this.#context
    const items: (Item & { readonly trash: FileTrash })[] = []
    const failures: Failure[] = []
    const scope = options.cwd === undefined ? {} : { cwd: cwdIn(this.#context) }
    for (const { storage } of this.#stores)
      for await (const item of list(storage.trash, { ...scope, signal: io.interrupted })) {
        if (item.error) failures.push(failureOf(item.path, item.error))
        else items.push({ ...item, trash: storage.trash })
      }
    items.sort((a, b) => b.deleted - a.deleted || (a.path < b.path ? -1 : 1))
    return { items, failures }
  }
}

export type TrashItem = TrashedSession & { readonly trash: FileTrash }

/** A backup, with its bytes. */
export type BackupItem = TrashItem & { readonly size: number }

interface TrashFound<Item = TrashItem> {
  readonly items: readonly Item[]
  /** What could not be read. */
  readonly failures: readonly Failure[]
}
