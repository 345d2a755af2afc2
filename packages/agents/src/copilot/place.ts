import type { AgentPlace } from "../kit.js"

export const copilot = {
  name: "copilot",
  folders: ["$COPILOT_HOME", "~/.copilot"],
  sessions: "session-state",
  others: [{ name: "xdg", folders: ["$XDG_STATE_HOME/.copilot"] }],
  unread: [
    ...["~/.config", "~/Library/Application Support", "~/AppData/Local"].map((folder) => ({
      path: `${folder}/github-copilot/*/*-sessions/*/*.db`,
      why: "chats of Copilot in editors of JetBrains, in databases with objects of Java",
    })),
    { path: "history-session-state/session_*.json", why: "sessions of versions before 0.0.342, which wrote no events" },
  ],
  resume: ["copilot", "--resume=$ID"],
} as const satisfies AgentPlace
