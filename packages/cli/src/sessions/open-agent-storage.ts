import type { Agent } from "../program/programs.js"
import type { AgentStorage, OpenAgent } from "./agents/agent-storage.js"

/** Only the code of the agent that is meant is loaded. */
const OPENERS: Readonly<Record<Agent, () => Promise<{ readonly open: OpenAgent }>>> = {
  "claude-code": () => import("./agents/claude-code.js"),
  codex: () => import("./agents/codex.js"),
}

/** Opens the sessions of an agent in its own folder, which its variables of the environment name. */
export async function openAgentStorage(agent: Agent, ...options: Parameters<OpenAgent>): Promise<AgentStorage> {
  const { open } = await OPENERS[agent]()
  return open(...options)
}
