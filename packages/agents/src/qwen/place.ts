import type { AgentPlace } from "../kit.js"

export const qwen = {
  name: "qwen",
  folders: ["$QWEN_RUNTIME_DIR", "$QWEN_HOME", "~/.qwen"],
  sessions: "projects",
  // Of versions before 0.2.
  alsoSessions: ["tmp"],
  kept: ["projects", "tmp/*/chats"],
  others: [{ name: "home", folders: ["$QWEN_HOME"] }, { folders: ["~/.qwen-*"] }],
  folderSettings: { file: "settings.json", names: ["runtimeOutputDir"] },
  resume: ["qwen", "--resume", "$ID"],
  fork: ["qwen", "--resume", "$ID", "--fork-session"],
  pidFiles: ["$ID.runtime.json"],
} as const satisfies AgentPlace
