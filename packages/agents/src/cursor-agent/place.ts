import type { AgentPlace } from "../kit.js"

export const cursorAgent = {
  name: "cursor-agent",
  folders: ["~/.cursor"],
  sessions: "projects",
  kept: ["projects/*/agent-transcripts", "projects/*/.workspace-trusted"],
  unread: [
    { path: "chats/*/*/store.db", why: "databases of the command, whose transcripts in projects are read" },
    { path: "~/.config/Cursor/chats/*/*/store.db", why: "databases of the command, with `XDG_CONFIG_HOME` set" },
    { path: "acp-sessions/*/store.db", why: "sessions that the command had with editors, in databases" },
    { path: "projects/*/agent-transcripts/*.txt", why: "transcripts as text, which older versions wrote" },
  ],
  resume: ["cursor-agent", "--resume", "$ID"],
} as const satisfies AgentPlace
