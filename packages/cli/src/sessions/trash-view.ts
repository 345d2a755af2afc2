import { TreelogError } from "@treelog/session-core"
import { isWritable } from "@treelog/session-core/adapter"
import { type FileTrash, type TrashedSession, TrashedSessionStorage } from "@treelog/storage-fs"
import { fileStorageOptions, type ListedSource, type OpenStore } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore, meantStores, openNamedStore } from "../store/chosen-store.js"
import { requireFiles } from "../store/command-sessions.js"
import { cwdIn } from "../store/scope.js"
import { type Failure, failureOf } from "../store/stored-keys.js"

type StoreOfFiles = NonNullable<OpenStore["files"]>

/**
 * The trash of every store that is meant. The sessions of an agent have none.
 * @throws UsageError for a database, which has none; ReadOnlyStorageError for an agent that an option names
 */
export async function openTrashes(context: CommandContext): Promise<Trashes> {
  const stores: StoreOfFiles[] = []
  for (const { program, options } of await meantStores(context)) {
    const store = await openNamedStore(context, chosenStore({ io: context.io, options }).name)
    if (!isWritable(store.storage) && program !== undefined) continue
    stores.push(requireFiles(store, "The trash", "it has none, and `treelog delete --permanent` deletes for good"))
  }
  return trashesOf(context, stores)
}

export type Trashes = ReturnType<typeof trashesOf>

export function trashesOf(context: CommandContext, stores: readonly StoreOfFiles[]) {
  async function listed<Item extends TrashedSession>(
    list: (trash: FileTrash, filter: Parameters<FileTrash["list"]>[0]) => AsyncIterable<Item>,
  ): Promise<TrashFound<Item & { readonly trash: FileTrash }>> {
    const { io, options } = context
    const items: (Item & { readonly trash: FileTrash })[] = []
    const failures: Failure[] = []
    const scope = options.cwd === undefined ? {} : { cwd: cwdIn(context) }
    for (const { storage } of stores)
      for await (const item of list(storage.trash, { ...scope, signal: io.interrupted })) {
        if (item.error) failures.push(failureOf(item.path, item.error))
        else items.push({ ...item, trash: storage.trash })
      }
    items.sort((a, b) => b.deleted - a.deleted || (a.path < b.path ? -1 : 1))
    return { items, failures }
  }
  return {
    /** The sessions in them, by store. */
    sources: (): ListedSource[] =>
      stores.map(({ name }) => ({
        name: `the trash of ${name.agentDir}`,
        storage: new TrashedSessionStorage(fileStorageOptions(context.io.env, name)),
        madeBy: "",
        projectOf: () => undefined,
      })),
    /** For a path that no list has: what is restored knows where it was. @throws SessionNotFoundError where there is no store */
    first(): FileTrash {
      const [store] = stores
      if (store) return store.storage.trash
      const message = "There is no trash: no store on this machine can be changed."
      throw new TreelogError("SessionNotFoundError", message, { ref: "" })
    },
    /** Everything in them, or with `--cwd` in the folders that may hold sessions of that one; most recently deleted first. */
    list: (): Promise<TrashFound> => listed((trash, filter) => trash.list(filter)),
    /** The backups of repairs and migrations, which are beside their sessions, in the same way. */
    backups: (): Promise<TrashFound<BackupItem>> => listed((trash, filter) => trash.backups(filter)),
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
