import type { CommandContext } from "../io/command-context.js"
import { composeSessions, type Sessions } from "./compose-sessions.js"
import { logOtherStores } from "./program-stores.js"

/**
 * The sessions of the one store that a command works on: where none is named, treelog's own. Stderr says so where other programs have
 * stores that could be meant.
 */
export async function composeOwn(context: CommandContext): Promise<Sessions> {
  await logOtherStores(context)
  const sessions = await composeSessions(context)
  // Once is enough.
  return { ...sessions, logOtherStores: async () => {} }
}
