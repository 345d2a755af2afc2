import type { AgentPlace } from "../kit.js"

export const qwen = {
  name: "qwen",
  folders: ["$QWEN_RUNTIME_DIR", "$QWEN_HOME", "~/.qwen"],
  sessions: "projects",
  resume: ["qwen", "--resume", "$ID"],
} as const satisfies AgentPlace
