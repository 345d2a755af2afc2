import type { AgentPlace } from "../kit.js"

export const crush = {
  name: "crush",
  folders: [
    "$CRUSH_GLOBAL_DATA",
    "$XDG_DATA_HOME/crush",
    process.platform === "win32" ? "$LOCALAPPDATA/crush" : "~/.local/share/crush",
  ],
  // The list of the projects in which it ran: each has a database of its own.
  sessions: "projects.json",
  alsoSessions: ["crush.db"],
  resume: ["crush", "--session", "$ID"],
} as const satisfies AgentPlace
