import type { AgentDefinition } from "../kit.js"
import { CrushConverter } from "./convert.js"
import { crush } from "./place.js"
import { crushSessions } from "./projects.js"

export const agent: AgentDefinition = {
  place: crush,
  lostResult: {
    text: "tool call was interrupted and did not produce a result, you may retry this call if the result is still needed",
    isError: true,
  },
  store: crushSessions,
  converter: (session) => new CrushConverter(session),
}
