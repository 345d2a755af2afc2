import type { AgentPlace } from "../kit.js"

export const opencode = {
  name: "opencode",
  folders: ["$XDG_DATA_HOME/opencode", "~/.local/share/opencode"],
  sessions: "opencode.db",
  sessionsVariable: "OPENCODE_DB",
  // Each channel but latest, beta and prod has a database of its own.
  others: [{ sessions: "opencode-*.db" }],
  unread: [
    {
      path: "storage/session/*/*.json",
      why: "sessions of versions before 1.2; the next start of opencode takes them into its database",
      unless: "opencode.db",
    },
    {
      path: "project/*/storage/session/info/*.json",
      why: "sessions of versions before 0.6",
      unless: "storage/session",
    },
  ],
  resume: ["opencode", "--session", "$ID"],
} as const satisfies AgentPlace
