import type { CommandContext } from "../io/command-context.js"
import type { FoundStore } from "./find-in-stores.js"
import { NEWEST } from "./newest.js"
import { meantStores } from "./program-stores.js"

/**
 * The session that a reading command is about, and the store that has it: without `--store`, those of all programs are meant. Where there
 * is one store, nothing else is loaded.
 * @throws SessionNotFoundError; UsageError where several stores have it
 */
export async function inStoreOf(context: CommandContext, ref = NEWEST): Promise<FoundStore> {
  const stores = await meantStores(context)
  const [only, ...others] = stores
  if (only && others.length === 0) return { context: only.context, ref }
  const { findInStores } = await import("./find-in-stores.js")
  return findInStores(stores, ref)
}
