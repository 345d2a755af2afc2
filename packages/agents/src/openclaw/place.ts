import type { AgentPlace } from "../kit.js"

/** Beside sessions, folders of agents have keys. */
export const KEPT = [
  ...["agents/*/sessions", "agents/*/session-sqlite-import-archive", "agents/*/agent/openclaw-agent.sqlite"],
]

export const openclaw = {
  name: "openclaw",
  folders: ["$OPENCLAW_STATE_DIR", "$OPENCLAW_HOME/.openclaw", "~/.openclaw"],
  sessions: "agents",
  kept: KEPT,
  // Of profiles, and under the names that it had before.
  others: [
    { name: "clawdbot", folders: ["$CLAWDBOT_STATE_DIR", "$OPENCLAW_HOME/.clawdbot", "~/.clawdbot"] },
    { name: "moltbot", folders: ["~/.moltbot"] },
    { name: "kimi", folders: ["~/.kimi_openclaw"] },
    { folders: ["$OPENCLAW_HOME/.openclaw-*", "~/.openclaw-*"] },
  ],
  unread: [
    ...["codex-home", "cli-auth/codex/*"].map((home) => ({
      path: `agents/*/agent/${home}/sessions/*/*/*/rollout-*`,
      why: "what Codex itself stored where OpenClaw runs it: name its folder in CODEX_HOME to read it",
    })),
    { path: "agents/*/sessions/*.jsonl.deleted.*", why: "sessions that were deleted" },
    { path: "agents/*/sessions/*.jsonl.reset.*.zst", why: "sessions that were reset, compressed" },
  ],
} as const satisfies AgentPlace
