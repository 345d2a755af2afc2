import type { AgentDefinition, AgentPlace } from "../kit.js"
import { OpenclawConverter } from "./convert.js"
import { openclaw } from "./place.js"
import { openclawSessions } from "./store.js"

export const agent = openclawAgent(openclaw)

/** OpenClaw, or a relative that keeps the same files in another place. */
export function openclawAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    store: openclawSessions,
    converter: (session) => new OpenclawConverter(session),
  }
}
