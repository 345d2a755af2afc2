import { InvalidArgumentError } from "commander"
import { parseDuration } from "./parse-duration.js"

/** Milliseconds. @throws InvalidArgumentError for what is no duration */
export function durationOption(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidArgumentError("It must be a time such as 90s, 30m, 12h, 1d, 2w, or 0.")
  return ms
}
