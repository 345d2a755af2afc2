import { ownerRules } from "@treelog/agents"
import { isWritableStore, type Sessions } from "../store/command-sessions.js"

/** Whether `relocate` can move the sessions of a store to another folder. */
export async function canRelocate(sessions: Sessions): Promise<boolean> {
  if (isWritableStore(sessions)) return true
  return sessions.agent !== undefined && (await ownerRules(sessions.agent))?.relocate !== undefined
}
