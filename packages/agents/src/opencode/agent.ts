import type { AgentDefinition, AgentPlace } from "../kit.js"
import { OpencodeConverter } from "./convert.js"
import { opencode } from "./place.js"
import { opencodeSessions } from "./rows.js"

export const agent = opencodeAgent(opencode)

/** opencode, or a relative that keeps the same tables in another place. */
export function opencodeAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    conversionVersion: 7,
    store: opencodeSessions,
    converter: (session) => new OpencodeConverter(place.name, session),
  }
}
