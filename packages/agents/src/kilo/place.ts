import type { AgentPlace } from "../kit.js"

export const kilo = {
  name: "kilo",
  folders: ["$XDG_DATA_HOME/kilo", "~/.local/share/kilo"],
  sessions: "kilo.db",
  sessionsVariable: "KILO_DB",
  others: [{ sessions: "kilo-*.db" }],
  resume: ["kilo", "--session", "$ID"],
} as const satisfies AgentPlace
