import type { CommandContext } from "../io/command-context.js"
import { commandSessions, type Sessions, sessionsOfOneStore } from "./command-sessions.js"
import { inStoreOf } from "./in-store-of.js"
import { existingKey } from "./open-to-read-or-write.js"
import { type Failure, storedKeys } from "./stored-keys.js"

/** A store, and the surroundings of a command that works on it alone. */
interface OpenedStore {
  readonly context: CommandContext
  readonly sessions: Sessions
}

/** The sessions of one store that a command scans. */
export interface OneOrAll extends OpenedStore {
  readonly isWholeStore: boolean
  /** What cannot be listed has its error. */
  readonly keys: Iterable<{ key: string } | Failure> | AsyncIterable<{ key: string } | Failure>
}

/** One session, in the store that has it, by default the newest; with `--all` and no session, every one of the store that is meant. */
export async function oneOrAll(context: CommandContext, ref: string | undefined): Promise<OneOrAll> {
  if (ref === undefined && context.options.all === true) {
    const sessions = await sessionsOfOneStore(context)
    return { context, sessions, isWholeStore: true, keys: storedKeys(sessions, context) }
  }
  const { key, ...store } = await oneSession(context, ref)
  return { ...store, isWholeStore: false, keys: [{ key }] }
}

/** A session in the store that has it; by default the newest. @throws SessionNotFoundError; UsageError where several stores have it */
export async function oneSession(
  asked: CommandContext,
  ref: string | undefined,
): Promise<OpenedStore & { readonly key: string }> {
  const found = await inStoreOf(asked, ref)
  const sessions = await commandSessions(found.context)
  return { context: found.context, sessions, key: await existingKey(sessions, found.ref) }
}
