import type { AgentPlace } from "../kit.js"

export const gemini = {
  name: "gemini",
  folders: ["$GEMINI_CLI_HOME/.gemini", "~/.gemini"],
  sessions: "tmp",
  kept: ["tmp/*/chats", "tmp/*/.project_root", "projects.json"],
  unread: [
    { path: "tmp/*/checkpoint-*.json", why: "copies of conversations that /chat save made" },
    { path: "tmp/*/logs.json", why: "prompts alone, of versions that stored no chats", unless: "tmp/*/chats" },
  ],
  resume: ["gemini", "--resume", "$ID"],
  notesCallsLate: true,
} as const satisfies AgentPlace
