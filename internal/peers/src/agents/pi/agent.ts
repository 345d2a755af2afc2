import type { Agent } from "../frame/agent.js"
import { compaction, goingBack, talk } from "./scenarios.js"

/** pi asks for a newer Node than treelog: npm has its binaries. */
export const PI: Agent = {
  program: "pi",
  packages: [`node-${process.platform}-${process.arch}`],
  bundles: ["@earendil-works/pi-coding-agent"],
  scenarios: [talk, compaction, goingBack],
}
