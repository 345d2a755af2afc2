import type { AgentPlace } from "../kit.js"

/** Where apps keep what belongs to a user. */
const APPS: readonly string[] =
  process.platform === "darwin"
    ? ["~/Library/Application Support"]
    : process.platform === "win32"
      ? ["$APPDATA"]
      : ["$XDG_CONFIG_HOME", "~/.config", "~/.local/share"]

export const kimi = {
  name: "kimi",
  folders: ["$KIMI_CODE_HOME", "~/.kimi-code"],
  sessions: "sessions",
  others: [
    { name: "work", folders: APPS.map((apps) => `${apps}/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home`) },
  ],
  // In a folder of its own, or in the first versions a file.
  unread: ["*/*/context.jsonl", "*/*.jsonl"].map((path) => ({
    path: `~/.kimi/sessions/${path}`,
    why: "sessions of Kimi CLI, the version in Python: `kimi migrate` takes them over",
    unless: "~/.kimi/.migrated-to-kimi-code",
  })),
  resume: ["kimi", "--session", "$ID"],
} as const satisfies AgentPlace
