import type { Agent } from "../frame/agent.js"
import { talk } from "./talk.js"

export const CODEX: Agent = { program: "codex", packages: ["@openai/codex"], scenarios: [talk] }
