// Arguments and options that several commands share.

import type { OptionDefinition } from "./command.js"
import { durationOption } from "./values.js"

export const SESSION = "path of a session file, id, start or end of an id, name, @last or @-2"
export const NEWEST_OR = `${SESSION} (default: @last)`
export const ENTRY = "id of an entry, or its start"
export const INSTRUCTIONS = "what the summary should focus on"
export const SINCE_SESSION = "with a message since then: 2026-11-23, 30d, yesterday, last week"
export const UNTIL_SESSION = "without a later message"
export const SINCE = "from then on: 2026-11-23, 30d, yesterday, last week"
export const UNTIL = "up to then"
export const DRY_RUN = "print what would change, and change nothing"
export const WITH =
  "go on in claude-code, codex, copilot, gemini, opencode, qwen, pi, omp or xcsh, with a copy of the session where it is of another agent"

/** What is printed of a session instead of going on with it. */
export const PRINT: OptionDefinition = [
  "--print [what]",
  "print its path or id, and run nothing",
  { choices: ["path", "id"], preset: "path" },
]

/** How long a command that summarizes may take. */
export const TIMEOUT: OptionDefinition = [
  "--timeout <duration>",
  "time limit for the command; 0 for none",
  { parse: durationOption, default: 600_000, shownDefault: "10m" },
]

export interface ChangeCommandOptions {
  /** Print what would change, and change nothing. */
  readonly dryRun?: boolean
}
