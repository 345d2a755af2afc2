import type { CommandContext } from "../io/command-context.js"
import { commandSessions } from "./command-sessions.js"
import { everyStore, type StoreSessions } from "./every-store.js"
import { inEveryFolder } from "./in-every-folder.js"
import { inStoreOf } from "./in-store-of.js"
import { existingKey } from "./open-to-read-or-write.js"
import { type Failure, storedKeys } from "./stored-keys.js"

/** Sessions of one store that a command scans. */
interface StoreKeys extends StoreSessions {
  /** What cannot be listed has its error. */
  readonly keys: Iterable<{ key: string } | Failure> | AsyncIterable<{ key: string } | Failure>
}

/** The sessions that a command scans. */
interface OneOrAll {
  readonly isAll: boolean
  readonly stores: readonly StoreKeys[]
}

/** One session, in the store that has it, by default the newest; with `--all` and no session, every one of every store that is meant. */
export async function oneOrAll(context: CommandContext, ref: string | undefined): Promise<OneOrAll> {
  if (ref === undefined && context.options.all === true) {
    const stores = await everyStore(context)
    return {
      isAll: true,
      stores: stores.map((store) => ({ ...store, keys: storedKeys(store.sessions, store.context) })),
    }
  }
  const { key, ...store } = await inEveryFolder(context, ref, (asked) => oneSession(asked, ref))
  return { isAll: false, stores: [{ ...store, keys: [{ key }] }] }
}

/** A session in the store that has it; by default the newest. @throws SessionNotFoundError, AmbiguousSessionError */
export async function oneSession(
  asked: CommandContext,
  ref: string | undefined,
): Promise<StoreSessions & { readonly key: string }> {
  const found = await inStoreOf(asked, ref)
  const sessions = await commandSessions(found.context)
  return { program: undefined, context: found.context, sessions, key: await existingKey(sessions, found.ref) }
}
