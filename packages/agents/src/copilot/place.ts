import type { AgentPlace } from "../kit.js"

export const copilot = {
  name: "copilot",
  folders: ["$COPILOT_HOME", "~/.copilot"],
  sessions: "session-state",
  others: [{ name: "xdg", folders: ["$XDG_STATE_HOME/.copilot"] }],
  unread: [
    { path: "history-session-state/session_*.json", why: "sessions of versions before 0.0.342, which wrote no events" },
  ],
  resume: ["copilot", "--resume=$ID"],
} as const satisfies AgentPlace
