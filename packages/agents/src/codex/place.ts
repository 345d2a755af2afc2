import type { AgentPlace } from "@treelog-internal/agent-files"

export const codex = {
  name: "codex",
  folders: ["$CODEX_HOME", "~/.codex"],
  sessions: "sessions",
  alsoSessions: ["archived_sessions"],
  kept: ["sessions", "archived_sessions", "session_index.jsonl", "state_*.sqlite", "sqlite/state_*.sqlite"],
  others: [
    { name: "xcode", folders: ["~/Library/Developer/Xcode/CodingAssistant/codex"] },
    { folders: ["~/.codex-*"] },
    { folders: ["~/.codex_*"] },
  ],
  unread: [{ path: "sessions/rollout-*.json", why: "sessions of the first Codex, which was no Rust program" }],
  resume: ["codex", "resume", "$ID"],
  fork: ["codex", "fork", "$ID"],
  keepsOpen: true,
  turnRecords: { begin: ["task_started"], end: ["task_complete", "turn_aborted"] },
} as const satisfies AgentPlace
