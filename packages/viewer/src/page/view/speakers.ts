import type { Speaker } from "../session/entry-summary.js"

/** For people; the icon of each has the name of the speaker itself. */
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
