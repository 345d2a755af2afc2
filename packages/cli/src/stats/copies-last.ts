import type { StoreSessions } from "../sessions/every-store.js"
import { agentOfStore } from "../sessions/of-agent.js"

/** In the order in which they count what several have: what an agent made itself before copies in treelog's own store. */
export function copiesLast<Store extends StoreSessions>(stores: readonly Store[]): Store[] {
  const rank = (store: Store): number =>
    store.sessions.agent ? 0 : agentOfStore(store.context, store.sessions) === "treelog" ? 2 : 1
  return [...stores].sort((a, b) => rank(a) - rank(b))
}
