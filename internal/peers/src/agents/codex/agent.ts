import type { Agent } from "../frame/agent.js"
import { agents, compaction, goal, goingBack, review, talk, team } from "./scenarios.js"

export const CODEX: Agent = {
  program: "codex",
  packages: ["@openai/codex"],
  scenarios: [talk, compaction, goingBack, agents, team, review, goal],
}
