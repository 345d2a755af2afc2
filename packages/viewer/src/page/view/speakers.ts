import type { Speaker } from "../session/entry-summary.js"
import type { IconName } from "./icons.js"

export const SPEAKER_ICONS: Readonly<Record<Speaker, IconName>> = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  bash: "bash",
  system: "system",
  custom: "custom",
  compaction: "compaction",
  branch: "branch",
  reset: "reset",
  note: "note",
}

export const SPEAKER_NAMES: Readonly<Record<Speaker, string>> = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
  bash: "Run by the user",
  system: "System",
  custom: "Extension",
  compaction: "Compaction",
  branch: "Branch summary",
  reset: "Context reset",
  note: "Note",
}
