import { ownFolder } from "@treelog/stores"
import type { StoreSessions } from "../sessions/every-store.js"

/** The program whose store it is; of another folder or a database, its address. */
export function agentOf({ program, context, sessions: { agent, files, address } }: StoreSessions): string {
  const preset = files?.name.preset ?? (address === ownFolder(context.io, "treelog") ? "treelog" : undefined)
  return program ?? agent ?? preset ?? address
}

/** In the order in which they count what several have: what an agent made itself before copies in treelog's own store. */
export function copiesLast<Store extends StoreSessions>(stores: readonly Store[]): Store[] {
  const rank = (store: Store): number => (store.sessions.agent ? 0 : agentOf(store) === "treelog" ? 2 : 1)
  return [...stores].sort((a, b) => rank(a) - rank(b))
}
