import type { Agent } from "../frame/agent.js"
import { compaction, fork, talk } from "./scenarios.js"

export const QWEN: Agent = {
  program: "qwen",
  // It needs a newer Node than this repository.
  packages: ["@qwen-code/qwen-code", "node"],
  installScript: "node/installArchSpecificPackage.js",
  scenarios: [talk, compaction, fork],
}
