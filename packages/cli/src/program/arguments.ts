// What several commands take, told in the same words.

import { Option } from "commander"
import { durationOption } from "./option-parsers.js"

export const SESSION = "path of any session file, id, start or end of an id, name, @last, or @-2"
export const NEWEST_OR = `${SESSION} (default: @last)`
export const ENTRY = "id of an entry, or the start of it"
export const INSTRUCTIONS = "what the summary should pay special attention to"
export const DRY_RUN = "say what would be done, and do nothing"

const TIMEOUT = "how long the command may take; 0 for no limit"
const SUMMARIZER_TIMEOUT = 600_000

export function timeoutOption(): Option {
  return new Option("--timeout <duration>", TIMEOUT).default(SUMMARIZER_TIMEOUT, "10m").argParser(durationOption)
}
