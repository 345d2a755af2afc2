import type { AgentPlace } from "../kit.js"

export const kimi = {
  name: "kimi",
  folders: ["$KIMI_CODE_HOME", "~/.kimi-code"],
  sessions: "sessions",
  others: [
    {
      name: "work",
      folders: [
        "~/Library/Application Support",
        "$XDG_CONFIG_HOME",
        "~/.config",
        "~/.local/share",
        "~/AppData/Roaming",
      ].map((folder) => `${folder}/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home`),
    },
  ],
  unread: [
    {
      path: "~/.kimi/sessions/*/*/context.jsonl",
      why: "sessions of Kimi CLI, the version in Python: `kimi migrate` takes them over",
      unless: "~/.kimi/.migrated-to-kimi-code",
    },
  ],
  resume: ["kimi", "--session", "$ID"],
} as const satisfies AgentPlace
