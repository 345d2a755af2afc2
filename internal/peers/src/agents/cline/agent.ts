import type { Agent } from "../frame/agent.js"
import { atWork, talk } from "./scenarios.js"

export const CLINE: Agent = { program: "cline", packages: ["cline"], scenarios: [talk, atWork] }
