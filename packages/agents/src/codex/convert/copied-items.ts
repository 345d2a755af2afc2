import type { Line } from "@treelog/session-core/adapter"
import { readRolloutLine } from "../rollout/rollout-line.js"
import { canonicalJson } from "./item-id.js"
import { millis } from "./path-writer.js"
import type { RolloutFile } from "./thread-plan.js"

/** The items of a rollout in order, as canonical JSON, with their times in milliseconds since 1970. */
function* itemsIn(lines: Iterable<Line>): Generator<{ text: string; time: number; isWhole: boolean }> {
  for (const line of lines) {
    const read = readRolloutLine(line)
    if (read?.type !== "response_item") continue
    yield { text: canonicalJson(read.payload), time: millis(read.timestamp ?? ""), isWhole: line.terminated }
  }
}

/** What is so much newer than the file was not copied into it when it was begun. Milliseconds. */
const COPYING_MS = 1000

/** Whether a line was written when its file was begun, as those that are copied from another thread. */
export function isFromStart(file: RolloutFile, time: number): boolean {
  return time <= millis(String(file.head.meta.timestamp)) + COPYING_MS
}

/**
 * How many items at the start of a rollout are those of another one. The copy for a sub-agent leaves items out, such as calls.
 * @param original the lines of the other one
 * @returns whether it stays so many too, whatever is added to the rollout
 */
export function countCopied(
  file: RolloutFile,
  lines: Iterable<Line>,
  original: Iterable<Line>,
): { readonly count: number; readonly isFinal: boolean } {
  const theirs = itemsIn(original)
  let count = 0
  let before = millis(String(file.head.meta.timestamp))
  try {
    for (const { text, time, isWhole } of itemsIn(lines)) {
      let their = theirs.next().value
      while (their && their.text !== text && isFromStart(file, time)) their = theirs.next().value
      // A sub-agent that is not said to be a fork may say the same as its parent; what it copied was written at once.
      const isLater = file.head.forkedFrom === undefined && time >= before + COPYING_MS
      if (their?.text !== text || isLater) return { count, isFinal: isWhole }
      before = Math.max(before, time)
      count++
    }
  } finally {
    theirs.return(undefined)
  }
  return { count, isFinal: false }
}
