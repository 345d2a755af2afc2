import type { AgentDefinition } from "../kit.js"
import { CursorConverter } from "./convert.js"
import { cursor } from "./place.js"
import { cursorSessions } from "./workspaces.js"

export const agent: AgentDefinition = {
  place: cursor,
  store: cursorSessions,
  converter: (session) => new CursorConverter(session),
}
