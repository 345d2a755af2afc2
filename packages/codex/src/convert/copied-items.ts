import type { Line } from "@treelog/session-core/adapter"
import { readRolloutLine } from "../rollout/rollout-line.js"
import { canonicalJson } from "./item-id.js"

/** The items of a rollout as canonical JSON, in order. */
export function* itemTexts(lines: Iterable<Line>): Generator<string> {
  for (const line of lines) {
    const read = readRolloutLine(line)
    if (read && "line" in read && read.line.type === "response_item") yield canonicalJson(read.line.payload)
  }
}
