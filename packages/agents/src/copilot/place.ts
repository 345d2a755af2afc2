import type { AgentPlace } from "../kit.js"

export const copilot = {
  name: "copilot",
  folders: ["$COPILOT_HOME", "~/.copilot"],
  sessions: "session-state",
  isKeptByFolder: true,
  // Of versions before 0.0.342.
  alsoSessions: ["history-session-state"],
  others: [{ name: "xdg", folders: ["$XDG_STATE_HOME/.copilot"] }, { folders: ["~/.copilot-*"] }],
  unread: [
    ...["~/.config", "~/Library/Application Support", "~/AppData/Local"].map((folder) => ({
      path: `${folder}/github-copilot/*/*-sessions/*/*.db`,
      why: "chats of Copilot in editors of JetBrains, in databases with objects of Java",
    })),
  ],
  resume: ["copilot", "--resume=$ID"],
  pidFiles: ["inuse.*.lock"],
  turnRecords: { ask: ["permission.requested"], answer: ["permission.completed"] },
} as const satisfies AgentPlace
