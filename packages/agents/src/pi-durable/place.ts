import type { AgentPlace } from "../kit.js"

/** pi-durable has no folder of its own: each program that is made with it names a database or a folder. */
export const piDurable = {
  name: "pi-durable",
  folders: ["$PI_CODING_AGENT_DIR", "~/.pi/agent"],
  sessions: "durable",
  sessionsVariable: "PI_DURABLE_STORE",
} as const satisfies AgentPlace
