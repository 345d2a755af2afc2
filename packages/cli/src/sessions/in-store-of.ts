import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "./chosen-store.js"
import type { FoundStore } from "./find-in-stores.js"
import { NEWEST } from "./newest.js"
import { meantStores } from "./program-stores.js"

/** What may be a path: then the file decides which store it belongs to. */
const PATH = /[/\\]|\.jsonl/

/**
 * The session that a command is about, and the store that has it: without `--store`, those of all programs are searched. Where there is one
 * store, nothing else is loaded.
 * @throws SessionNotFoundError, AmbiguousSessionError; UsageError for the address of a store
 */
export async function inStoreOf(context: CommandContext, ref = NEWEST): Promise<FoundStore> {
  const stores = await meantStores(context)
  const [only, ...others] = stores
  if (only && others.length === 0) {
    const isOneAnswer = !PATH.test(ref) || chosenStore(only.context).name.kind === "postgres"
    if (isOneAnswer) return { context: only.context, ref }
  }
  const { findInStores } = await import("./find-in-stores.js")
  return findInStores(context, stores, ref)
}
