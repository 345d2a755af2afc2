import type { Agent } from "../frame/agent.js"
import { compaction, goingBack, interruption, talk } from "./scenarios.js"

export const OPENCODE: Agent = {
  program: "opencode",
  packages: ["opencode-ai"],
  installScript: "opencode-ai/postinstall.mjs",
  scenarios: [talk, compaction, interruption, goingBack],
}
