import { type AgentDefinition, sessionDatabase } from "../kit.js"
import { HermesConverter } from "./convert.js"
import { hermes } from "./place.js"
import { recordsIn, sessionsIn } from "./rows.js"
import { withTranscripts } from "./transcripts.js"

export const agent: AgentDefinition = {
  place: hermes,
  lostResult: { text: "[Result unavailable — see context summary above]", isError: false },
  store: (options) => {
    const database = sessionDatabase(options, { file: options.sessions, sessions: sessionsIn, records: recordsIn })
    return withTranscripts(options, database)
  },
  converter: (session) => new HermesConverter(session),
}
