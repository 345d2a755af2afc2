import { dirname, join } from "node:path"
import { type AgentDefinition, sessionFiles } from "../kit.js"
import { INTERRUPTED } from "./blocks.js"
import { KimiConverter } from "./convert.js"
import { withMedia } from "./media.js"
import { kimi } from "./place.js"

export const agent: AgentDefinition = {
  place: kimi,
  lostResult: { text: INTERRUPTED, isError: true },
  store: (options) => {
    const files = sessionFiles(options, {
      paths: ["sessions/*/*/agents/*/wire.jsonl"],
      idOf: ([folder, session, agent]) =>
        session === undefined ? folder : agent === "main" ? session : `${session}-${agent}`,
      partOf: ([folder, session, agent]) =>
        agent === undefined || agent === "main"
          ? undefined
          : { of: `sessions/${folder}/${session}/agents/main/wire.jsonl`, role: "subagent", name: `${agent}.jsonl` },
      // The second is where early versions of its present engine kept it.
      beside: (path) => ["state.json", "session-meta/state.json"].map((name) => join(dirname(path), "..", "..", name)),
    })
    return withMedia(options, files)
  },
  converter: (session) => new KimiConverter(session),
}
