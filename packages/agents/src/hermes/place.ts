import type { AgentPlace } from "../kit.js"

export const hermes = {
  name: "hermes",
  folders: ["$HERMES_HOME", process.platform === "win32" ? "$LOCALAPPDATA/hermes" : "~/.hermes"],
  sessions: "state.db",
  // Profiles.
  others: [{ folders: ["~/.hermes/profiles/*"] }],
  unread: [
    { path: "sessions/session_*.json", why: "sessions of versions that had no database", unless: "state.db" },
    { path: "sessions/*.jsonl", why: "sessions of versions that had no database", unless: "state.db" },
    { path: "sessions/*.jsonl", why: "transcripts beside the database, which lacks the oldest", onlyInDoctor: true },
  ],
  resume: ["hermes", "--resume", "$ID"],
} as const satisfies AgentPlace
