import type { AgentPlace } from "../kit.js"

export const opencode = {
  name: "opencode",
  folders: ["$XDG_DATA_HOME/opencode", "~/.local/share/opencode"],
  sessions: "opencode.db",
  sessionsVariable: "OPENCODE_DB",
  resume: ["opencode", "--session", "$ID"],
} as const satisfies AgentPlace
