import { type AgentDefinition, sessionFiles } from "../kit.js"
import { CursorAgentConverter } from "./convert.js"
import { cursorAgent } from "./place.js"

const TRANSCRIPTS = "projects/*/agent-transcripts"

export const agent: AgentDefinition = {
  place: cursorAgent,
  conversionVersion: 2,
  store: (options) =>
    sessionFiles(options, {
      paths: [`${TRANSCRIPTS}/*/*.jsonl`, `${TRANSCRIPTS}/*.jsonl`, `${TRANSCRIPTS}/*/subagents/*.jsonl`],
      partOf: ([project, session, file]) =>
        file === undefined || file === session
          ? undefined
          : { of: `projects/${project}/agent-transcripts/${session}/${session}.jsonl`, role: "subagent" },
    }),
  converter: (session) => new CursorAgentConverter(session),
}
