import type { AgentPlace } from "../kit.js"

export const qclaw = { name: "qclaw", folders: ["~/.qclaw"], sessions: "agents" } as const satisfies AgentPlace
