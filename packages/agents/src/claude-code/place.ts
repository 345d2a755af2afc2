import type { AgentPlace } from "@treelog-internal/agent-files"
import { appFolders } from "../app-folders.js"

/** What has the sessions of Cowork in a folder of the app of Claude: each has a folder of Claude Code of its own, and a record beside it. */
export const COWORK = "local-agent-mode-sessions"
/** Where the records of sessions are in there, in the trees of the accounts. */
export const IN_COWORK = ["*/*/local_*", "*/*/agent/local_*"]

const cowork = (name: string, folders: readonly string[]) => ({
  ...{ name, folders, sessions: COWORK, isOfApp: true },
  kept: IN_COWORK.flatMap((path) => [`${COWORK}/${path}.json`, `${COWORK}/${path}/.claude/projects`]),
})

/** In the package of the store of Windows. */
const PACKAGE = "Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude"

export const claudeCode = {
  name: "claude-code",
  folders: ["$CLAUDE_CONFIG_DIR", "~/.claude"],
  sessions: "projects",
  listsFolders: true,
  others: [
    { name: "xdg", folders: ["$XDG_CONFIG_HOME/claude", "~/.config/claude"] },
    cowork("cowork", appFolders("Claude")),
    cowork("cowork-package", [`$LOCALAPPDATA/${PACKAGE}`, `~/AppData/Local/${PACKAGE}`]),
    // In a home of macOS or Windows that was copied to Linux.
    cowork("cowork-mac", ["~/Library/Application Support/Claude"]),
    cowork("cowork-windows", ["~/AppData/Roaming/Claude"]),
    { name: "xcode", folders: ["~/Library/Developer/Xcode/CodingAssistant/ClaudeAgentConfig"] },
    { folders: ["~/.claude-*"] },
    { folders: ["~/.claude_*"] },
    // Of programs that switch between accounts.
    { folders: ["~/.claude/profiles/*"] },
    { folders: ["~/.ccs/instances/*"] },
  ],
  unread: [
    {
      path: "projects/*/*/*.jsonl",
      why: "files in folders within those of projects, where Claude Code finds no sessions: move them up",
      onlyInDoctor: true,
    },
    {
      path: "projects/*/*/before-cleanup/*.jsonl.replaced",
      why: "what sessions were before Claude Code removed lines of them",
      onlyInDoctor: true,
    },
    {
      path: "projects/*/*.jsonl.superseded-*",
      why: "files that Claude Code set aside where it moved the one of another session to",
      onlyInDoctor: true,
    },
    { path: "__store.db", why: "what versions of spring 2025 wrote in a database, beside sessions or in their place" },
  ],
  resume: ["claude", "--resume", "$ID"],
  fork: ["claude", "--resume", "$ID", "--fork-session"],
  pidFiles: ["../../sessions/*.json"],
} as const satisfies AgentPlace
