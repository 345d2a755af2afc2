import { type AgentDefinition, sessionFiles } from "../kit.js"
import { CopilotConverter } from "./convert.js"
import { copilot } from "./place.js"

export const agent: AgentDefinition = {
  place: copilot,
  conversionVersion: 3,
  store: (options) => sessionFiles(options, { paths: ["session-state/*/events.jsonl", "session-state/*.jsonl"] }),
  converter: ({ writer }) => new CopilotConverter(writer),
}
