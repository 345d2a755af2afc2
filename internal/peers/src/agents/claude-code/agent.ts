import type { Agent } from "../frame/agent.js"
import { agents, nestedAgents, workflow } from "./scenarios/agents.js"
import { compactions, interrupted, local, plan, queued } from "./scenarios/at-work.js"
import { extended, files, hooks } from "./scenarios/attached.js"
import {
  branch,
  rewind,
  rewindAll,
  rewindIntoKept,
  rewindLast,
  summarizeFrom,
  summarizeUpTo,
} from "./scenarios/going-back.js"
import { talk } from "./scenarios/talk.js"

export const CLAUDE_CODE: Agent = {
  program: "claude",
  packages: ["@anthropic-ai/claude-code"],
  installScript: "@anthropic-ai/claude-code/install.cjs",
  scenarios: [
    talk,
    files,
    hooks,
    extended,
    agents,
    nestedAgents,
    workflow,
    rewind,
    rewindAll,
    rewindLast,
    rewindIntoKept,
    summarizeUpTo,
    summarizeFrom,
    branch,
    compactions,
    queued,
    interrupted,
    local,
    plan,
  ],
}
