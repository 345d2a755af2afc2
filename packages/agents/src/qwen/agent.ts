import { type AgentDefinition, sessionFiles } from "../kit.js"
import { QwenConverter } from "./convert.js"
import { qwen } from "./place.js"

export const agent: AgentDefinition = {
  place: qwen,
  lostResult: {
    text: "Tool execution result was not recorded \u2014 likely interrupted by network failure, abort, or process exit. Treat as failure and retry if needed.",
    isError: true,
  },
  store: (options) =>
    sessionFiles(options, {
      paths: ["projects/*/chats/*.jsonl", "projects/*/chats/archive/*.jsonl", "projects/*/subagents/*/*.jsonl"],
      partOf: ([project, session, agent]) =>
        agent === undefined ? undefined : { of: `projects/${project}/chats/${session}.jsonl`, role: "subagent" },
    }),
  converter: (session) => new QwenConverter(session),
}
