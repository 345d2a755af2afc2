import type { AgentDefinition } from "../kit.js"
import { OpencodeConverter } from "./convert.js"
import { opencode } from "./place.js"
import { opencodeSessions } from "./rows.js"

export const agent: AgentDefinition = {
  place: opencode,
  conversionVersion: 1,
  store: opencodeSessions,
  converter: (session) => new OpencodeConverter(session),
}
