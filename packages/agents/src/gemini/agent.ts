import type { AgentDefinition } from "../kit.js"
import { GeminiConverter } from "./convert.js"
import { gemini } from "./place.js"
import { geminiSessions } from "./store.js"

export const agent: AgentDefinition = {
  place: gemini,
  store: geminiSessions,
  converter: (session) => new GeminiConverter(session),
}
