import { type AgentDefinition, sessionDatabase } from "../kit.js"
import { HermesConverter } from "./convert.js"
import { hermes } from "./place.js"
import { recordsIn, sessionsIn } from "./rows.js"

export const agent: AgentDefinition = {
  place: hermes,
  lostResult: { text: "[Result unavailable — see context summary above]", isError: false },
  store: (options) => sessionDatabase(options, { file: options.sessions, sessions: sessionsIn, records: recordsIn }),
  converter: (session) => new HermesConverter(session),
}
