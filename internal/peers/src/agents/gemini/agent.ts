import type { Agent } from "../frame/agent.js"
import { atWork, talk } from "./scenarios.js"

export const GEMINI: Agent = { program: "gemini", packages: ["@google/gemini-cli"], scenarios: [talk, atWork] }
