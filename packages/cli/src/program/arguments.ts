// Arguments and options that several commands share.

import { Option } from "commander"
import { durationOption } from "./option-parsers.js"

export const SESSION = "path of a session file, id, start or end of an id, name, @last or @-2"
export const NEWEST_OR = `${SESSION} (default: @last)`
export const ENTRY = "id of an entry, or its start"
export const INSTRUCTIONS = "what the summary should focus on"
export const DRY_RUN = "print what would change, and change nothing"

const TIMEOUT = "time limit for the command; 0 for none"
const SUMMARIZER_TIMEOUT = 600_000

export function timeoutOption(): Option {
  return new Option("--timeout <duration>", TIMEOUT).default(SUMMARIZER_TIMEOUT, "10m").argParser(durationOption)
}
