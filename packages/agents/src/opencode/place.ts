import type { AgentPlace, UnreadLayout } from "../kit.js"

/** What versions wrote before they had a database: a folder for each session. */
export const TREE = "storage/session"

/** What the first versions wrote, which later ones took over. */
export const FIRST: readonly UnreadLayout[] = [
  {
    path: "project/*/storage/session/info/*.json",
    why: "sessions of versions that had a folder for each project",
    unless: TREE,
  },
]

export const opencode = {
  name: "opencode",
  folders: ["$XDG_DATA_HOME/opencode", "~/.local/share/opencode"],
  sessions: "opencode.db",
  alsoSessions: [TREE],
  sessionsVariable: "OPENCODE_DB",
  kept: ["storage/session", "storage/message", "storage/part"],
  // Each channel but latest, beta and prod has a database of its own.
  others: [{ sessions: "opencode-*.db" }],
  unread: FIRST,
  resume: ["opencode", "--session", "$ID"],
  fork: ["opencode", "--session", "$ID", "--fork"],
} as const satisfies AgentPlace
