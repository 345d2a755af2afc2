import type { AgentPlace } from "../kit.js"

export const openclaw = {
  name: "openclaw",
  folders: ["$OPENCLAW_STATE_DIR", "~/.openclaw"],
  sessions: "agents",
} as const satisfies AgentPlace
