import type { Agent } from "../frame/agent.js"
import { atWork, talk } from "./scenarios.js"

export const COPILOT: Agent = { program: "copilot", packages: ["@github/copilot"], scenarios: [talk, atWork] }
