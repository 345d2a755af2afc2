import { basename, dirname, join } from "node:path"
import { type AgentDefinition, isObject, sessionFiles } from "../kit.js"
import { CopilotConverter } from "./convert.js"
import { copilot } from "./place.js"

export const agent: AgentDefinition = {
  place: copilot,
  conversionVersion: 7,
  lostResult: {
    text: "Tool execution was interrupted before a result was recorded. Its effects may be absent, partial, or already complete, and other tools may have completed successfully. Check the current state before retrying; do not assume success or replay this operation blindly.",
    isError: true,
  },
  store: (options) =>
    sessionFiles(options, {
      paths: ["session-state/*/events.jsonl", "session-state/*.jsonl"],
      beside: (path) => (basename(path) === "events.jsonl" ? [join(dirname(path), "workspace.yaml")] : []),
    }),
  converter: ({ writer, id, beside: [workspace] }) =>
    new CopilotConverter(writer, { agent: "copilot", id, ...(isObject(workspace) && { workspace }) }),
}
