import { SessionManager } from "@treelog/session-core"
import { type TrashedSession, TrashedSessionStorage } from "@treelog/storage-fs"
import { type FileStore, fileStorageOptions } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "../sessions/chosen-store.js"
import { openNamedStore } from "../sessions/open-named-store.js"
import { requireFiles } from "../sessions/require-files.js"
import { cwdIn } from "../sessions/scope.js"
import { type Failure, failureOf } from "../sessions/stored-keys.js"

/** The store whose trash is meant. @throws UsageError for a database, which has none */
export async function storeWithTrash(context: CommandContext): Promise<FileStore> {
  const store = await openNamedStore(context, chosenStore(context).name)
  return requireFiles(store, "The trash", "it has none, and `treelog delete --permanent` deletes for good")
}

export async function trashedStorage(context: CommandContext): Promise<TrashedSessionStorage> {
  const { name } = await storeWithTrash(context)
  return new TrashedSessionStorage(fileStorageOptions(context.io.env, name))
}

/** What can be asked of the sessions in the trash: to list them, and to find one by its id or name. */
export async function trashManager(context: CommandContext): Promise<SessionManager> {
  return new SessionManager({ storage: await trashedStorage(context) })
}

export interface TrashFound {
  readonly items: readonly TrashedSession[]
  /** What could not be read. */
  readonly failures: readonly Failure[]
}

/** Everything in the trash of the store, or with `--cwd` in the folders that may hold sessions of that one; most recently deleted first. */
export async function trashOf(context: CommandContext): Promise<TrashFound> {
  const { io, options } = context
  const { storage } = await storeWithTrash(context)
  const [items, failures]: [TrashedSession[], Failure[]] = [[], []]
  const scope = options.cwd === undefined ? {} : { cwd: cwdIn(context) }
  for await (const item of storage.trash.list({ ...scope, signal: io.interrupted })) {
    if (item.error) failures.push(failureOf(item.path, item.error))
    else items.push(item)
  }
  items.sort((a, b) => b.deleted - a.deleted || (a.path < b.path ? -1 : 1))
  return { items, failures }
}
