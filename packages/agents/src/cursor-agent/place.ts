import type { AgentPlace } from "../kit.js"

export const cursorAgent = {
  name: "cursor-agent",
  folders: ["~/.cursor"],
  sessions: "projects",
  resume: ["cursor-agent", "--resume", "$ID"],
} as const satisfies AgentPlace
