import type { AgentPlace } from "../kit.js"

export const cursorAgent = {
  name: "cursor-agent",
  folders: ["$CURSOR_DATA_DIR", "~/.cursor"],
  sessions: "projects",
  alsoSessions: ["chats", "acp-sessions"],
  kept: [
    ...["projects/*/agent-transcripts", "projects/*/sdk-agent-store", "projects/*/.workspace-trusted"],
    ...["chats", "acp-sessions"],
  ],
  unread: [
    { path: "~/.config/Cursor/chats/*/*/store.db", why: "databases of the command, with `XDG_CONFIG_HOME` set" },
    { path: "projects/*/agent-transcripts/*.txt", why: "transcripts as text, which older versions wrote" },
  ],
  resume: ["cursor-agent", "--resume", "$ID"],
} as const satisfies AgentPlace
