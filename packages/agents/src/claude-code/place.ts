import type { AgentPlace } from "@treelog-internal/agent-files"

/** Where the app of Claude keeps its files; from the store of Windows, in the folder of its package. */
const COWORK = [
  "~/Library/Application Support",
  "~/.config",
  "~/AppData/Roaming",
  "~/AppData/Local/Packages/*Claude_*/LocalCache/Roaming",
]

export const claudeCode = {
  name: "claude-code",
  folders: ["$CLAUDE_CONFIG_DIR", "~/.claude"],
  sessions: "projects",
  listsFolders: true,
  others: [{ name: "xdg", folders: ["$XDG_CONFIG_HOME/claude", "~/.config/claude"] }, { folders: ["~/.claude-*"] }],
  unread: [
    {
      path: "projects/*/*/*.jsonl",
      why: "files in folders within those of projects, where Claude Code finds no sessions: move them up",
      onlyInDoctor: true,
    },
    { path: "__store.db", why: "what versions of spring 2025 wrote in a database, beside sessions or in their place" },
    ...COWORK.map((folder) => ({
      path: `${folder}/Claude/local-agent-mode-sessions/*/*/*/.claude/projects/*/*.jsonl`,
      why: "sessions of Cowork in the app of Claude: name a folder in CLAUDE_CONFIG_DIR to read one",
    })),
  ],
  resume: ["claude", "--resume", "$ID"],
  fork: ["claude", "--resume", "$ID", "--fork-session"],
  pidFiles: ["../../sessions/*.json"],
} as const satisfies AgentPlace
