import type { AgentDefinition, AgentPlace } from "../kit.js"
import { OpencodeConverter } from "./convert.js"
import { opencode } from "./place.js"
import { opencodeSessions } from "./rows.js"
import { withTree } from "./tree.js"

export const agent = opencodeAgent(opencode)

/** opencode, or a relative that keeps the same tables in another place. */
export function opencodeAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    // Databases of channels have no tree beside them.
    store: (options) => {
      const database = opencodeSessions(options)
      return options.sessions === place.sessions ? withTree(options, database) : database
    },
    converter: (session) => new OpencodeConverter(place.name, session),
  }
}
