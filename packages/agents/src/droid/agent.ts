import { type AgentDefinition, sessionFiles } from "../kit.js"
import { withCallers } from "./callers.js"
import { DroidConverter } from "./convert.js"
import { droid } from "./place.js"

export const agent: AgentDefinition = {
  place: droid,
  // It says of no call whether it ran, also of those that did.
  lostResult: { text: "Error: Tool execution was cancelled", isError: false },
  store: (options) => {
    const files = sessionFiles(options, {
      paths: ["sessions/*/*.jsonl", "sessions/*.jsonl"],
      beside: (path) => [path.replace(/\.jsonl$/, ".settings.json")],
    })
    return withCallers(options, files)
  },
  converter: (session) => new DroidConverter(session),
}
