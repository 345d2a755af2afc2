import type { AgentPlace } from "../kit.js"

import { KEPT } from "../openclaw/place.js"

export const qclaw = {
  name: "qclaw",
  folders: ["~/.qclaw"],
  sessions: "agents",
  kept: KEPT,
} as const satisfies AgentPlace
