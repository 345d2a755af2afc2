import type { AgentPlace } from "../kit.js"

export const gemini = {
  name: "gemini",
  folders: ["$GEMINI_CLI_HOME/.gemini", "~/.gemini"],
  sessions: "tmp",
  resume: ["gemini", "--resume", "$ID"],
} as const satisfies AgentPlace
