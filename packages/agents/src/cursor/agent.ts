import { type AgentDefinition, sessionDatabase } from "../kit.js"
import { CursorConverter } from "./convert.js"
import { cursor } from "./place.js"
import { recordsOf, sessionsIn } from "./rows.js"
import { withWindows } from "./workspaces.js"

export const agent: AgentDefinition = {
  place: cursor,
  conversionVersion: 4,
  store: (options) =>
    withWindows(options, sessionDatabase(options, { file: cursor.sessions, sessions: sessionsIn, records: recordsOf })),
  converter: (session) => new CursorConverter(session),
}
