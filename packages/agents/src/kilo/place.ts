import type { AgentPlace } from "../kit.js"
import { FIRST, TREE } from "../opencode/place.js"

export const kilo = {
  name: "kilo",
  folders: ["$XDG_DATA_HOME/kilo", "~/.local/share/kilo"],
  sessions: "kilo.db",
  alsoSessions: [TREE],
  kept: ["storage/session", "storage/message", "storage/part"],
  sessionsVariable: "KILO_DB",
  // Where a channel has none of its own, it goes on with that of its former name.
  others: [{ sessions: "kilo-*.db" }, { sessions: "opencode-*.db" }],
  unread: FIRST,
  resume: ["kilo", "--session", "$ID"],
} as const satisfies AgentPlace
