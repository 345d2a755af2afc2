import type { AgentPlace } from "../kit.js"
import { FIRST, TREE } from "../opencode/place.js"

export const kilo = {
  name: "kilo",
  folders: ["$XDG_DATA_HOME/kilo", "~/.local/share/kilo"],
  sessions: "kilo.db",
  alsoSessions: [TREE],
  sessionsVariable: "KILO_DB",
  others: [{ sessions: "kilo-*.db" }],
  unread: FIRST,
  resume: ["kilo", "--session", "$ID"],
} as const satisfies AgentPlace
