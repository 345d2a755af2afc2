import type { Agent } from "../frame/agent.js"
import { talk } from "./talk.js"

export const CLAUDE_CODE: Agent = {
  program: "claude",
  packages: ["@anthropic-ai/claude-code"],
  installScript: "@anthropic-ai/claude-code/install.cjs",
  scenarios: [talk],
}
