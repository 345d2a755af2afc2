import type { CommandContext } from "../io/command-context.js"
import { meantStores } from "./program-stores.js"

/**
 * The surroundings of a reading command in the store that has the session: without `--store`, those of all programs are meant. Where
 * there is one store, nothing else is loaded.
 * @throws SessionNotFoundError; UsageError where several stores have it
 */
export async function inStoreOf(context: CommandContext, ref = "@last"): Promise<CommandContext> {
  const stores = await meantStores(context)
  const [only, ...others] = stores
  if (only && others.length === 0) return only.context
  const { contextOfHolder } = await import("./find-store.js")
  return contextOfHolder(stores, ref)
}
