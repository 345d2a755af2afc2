import type { AgentPlace } from "../kit.js"

export const hermes = {
  name: "hermes",
  folders: ["$HERMES_HOME", process.platform === "win32" ? "$LOCALAPPDATA/hermes" : "~/.hermes"],
  sessions: "state.db",
  // Of versions that had no database, and those that it lacks.
  alsoSessions: ["sessions"],
  kept: ["state.db", "sessions/*.jsonl", "sessions/session_*.json"],
  // Profiles.
  others: [{ folders: ["~/.hermes/profiles/*"] }],
  resume: ["hermes", "--resume", "$ID"],
} as const satisfies AgentPlace
