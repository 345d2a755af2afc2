import { GeminiConverter } from "../gemini/convert.js"
import { type AgentDefinition, joinedStores, sessionFiles } from "../kit.js"
import { QwenConverter } from "./convert.js"
import { earlySessions, isEarly } from "./early-sessions.js"
import { qwen } from "./place.js"

/** What the server of Qwen Code notes beside a session of the prompts that it took. */
const LEDGER = /\.ledger\.jsonl$/

export const agent: AgentDefinition = {
  place: qwen,
  lostResult: {
    text: "Tool execution result was not recorded \u2014 likely interrupted by network failure, abort, or process exit. Treat as failure and retry if needed.",
    isError: true,
  },
  store: (options) => {
    const files = sessionFiles(options, {
      paths: ["projects/*/chats/*.jsonl", "projects/*/chats/archive/*.jsonl", "projects/*/subagents/*/*.jsonl"],
      partOf: ([project, session, agent]) =>
        agent === undefined ? undefined : { of: `projects/${project}/chats/${session}.jsonl`, role: "subagent" },
    })
    const sessions: typeof files = {
      ...files,
      async *list(filter) {
        for await (const found of files.list(filter)) yield found.filter(({ key }) => !LEDGER.test(key))
      },
    }
    const early = earlySessions(options)
    return joinedStores([sessions, early], (key) => (isEarly(key) ? early : sessions))
  },
  converter: (session) => (isEarly(session.key) ? new GeminiConverter(session, "unknown") : new QwenConverter(session)),
}
