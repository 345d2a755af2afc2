import type { AgentPlace } from "../kit.js"

export const droid = {
  name: "droid",
  folders: ["$FACTORY_HOME_OVERRIDE/.factory", "~/.factory"],
  sessions: "sessions",
  resume: ["droid", "--resume", "$ID"],
} as const satisfies AgentPlace
