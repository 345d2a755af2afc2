import type { Line } from "@treelog/session-core/adapter"
import { readRolloutLine } from "../rollout/rollout-line.js"
import { canonicalJson } from "./item-id.js"
import { millis } from "./path-writer.js"
import type { RolloutFile } from "./thread-plan.js"

/** An item of a rollout, as canonical JSON. */
interface ComparedItem {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** The items of a rollout, in order. */
function* itemsIn(lines: Iterable<Line>): Generator<ComparedItem> {
  for (const line of lines) {
    const read = readRolloutLine(line)
    if (read && "line" in read && read.line.type === "response_item")
      yield { text: canonicalJson(read.line.payload), time: millis(read.line.timestamp ?? "") }
  }
}

/** What is so much newer than the file was not copied into it when it was begun. Milliseconds. */
const COPYING_MS = 1000

/** Whether a line was written when its file was begun, as those that are copied from another thread. */
export function isFromStart(file: RolloutFile, time: number): boolean {
  return time <= millis(String(file.head.meta.timestamp)) + COPYING_MS
}

/** How many items at the start of a rollout are those of another one. @param original the lines of that */
export function countCopied(file: RolloutFile, lines: Iterable<Line>, original: Iterable<Line>): number {
  const theirs = itemsIn(original)
  let count = 0
  try {
    for (const item of itemsIn(lines)) {
      let found = compareCopied(file, item, theirs.next().value)
      while (found === "next") found = compareCopied(file, item, theirs.next().value)
      if (found === "own") break
      count++
    }
  } finally {
    theirs.return(undefined)
  }
  return count
}

/**
 * Compares an item at the start of a rollout with the next of the thread that it may be copied from. The copy for a sub-agent leaves items
 * out, such as calls: the one after it is then to be compared.
 * @param theirs undefined where there is none
 */
function compareCopied(
  file: RolloutFile,
  { text, time }: ComparedItem,
  theirs: ComparedItem | undefined,
): "same" | "next" | "own" {
  if (theirs?.text === text) return "same"
  return theirs && isFromStart(file, time) ? "next" : "own"
}
