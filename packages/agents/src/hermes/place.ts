import type { AgentPlace } from "../kit.js"

export const hermes = {
  name: "hermes",
  folders: ["$HERMES_HOME", process.platform === "win32" ? "$LOCALAPPDATA/hermes" : "~/.hermes"],
  sessions: "state.db",
  // Profiles.
  others: [{ folders: ["~/.hermes/profiles/*"] }],
  resume: ["hermes", "--resume", "$ID"],
} as const satisfies AgentPlace
