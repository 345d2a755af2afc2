import { SessionManager } from "@treelog/session-core"
import { type TrashedSession, TrashedSessionStorage } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/compose-sessions.js"
import { fileStorageOptions } from "../sessions/compose-storage.js"
import { type Failure, failureOf } from "../sessions/stored-keys.js"

export function trashedStorage(context: CommandContext): TrashedSessionStorage {
  return new TrashedSessionStorage(fileStorageOptions(context))
}

/** What can be asked of the sessions in the trash: to list them, and to find one by its id or name. */
export function trashManager(context: CommandContext): SessionManager {
  return new SessionManager({ storage: trashedStorage(context) })
}

export interface TrashFound {
  readonly items: readonly TrashedSession[]
  /** What could not be read. */
  readonly failures: readonly Failure[]
}

/** Everything in the trash of the store, or with `--cwd` in the folders that may hold sessions of that one; most recently deleted first. */
export async function trashOf({ io, options }: CommandContext, { storage, cwd }: Sessions): Promise<TrashFound> {
  const [items, failures]: [TrashedSession[], Failure[]] = [[], []]
  const scope = options.cwd === undefined ? {} : { cwd }
  for await (const item of storage.trash.list({ ...scope, signal: io.interrupted })) {
    if (item.error) failures.push(failureOf(item.path, item.error))
    else items.push(item)
  }
  items.sort((a, b) => b.deleted - a.deleted || (a.path < b.path ? -1 : 1))
  return { items, failures }
}
