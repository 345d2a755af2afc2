import type { Agent } from "../frame/agent.js"
import { gateway, talk } from "./scenarios.js"

/** OpenClaw asks for a newer Node than treelog: npm has its binaries. */
export const OPENCLAW: Agent = {
  program: "openclaw",
  packages: [`node-${process.platform}-${process.arch}`, "openclaw"],
  scenarios: [talk, gateway],
}
