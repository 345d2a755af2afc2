import type { AgentPlace } from "../kit.js"

export const copilot = {
  name: "copilot",
  folders: ["$COPILOT_HOME", "~/.copilot"],
  sessions: "session-state",
  resume: ["copilot", "--resume=$ID"],
} as const satisfies AgentPlace
