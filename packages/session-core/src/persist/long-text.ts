import { isJsonObject, textStart } from "../entry/values.js"
import { blobRef, hashInRef } from "../ports/blob-store.js"
import type { Spot } from "./spots.js"

/** The longest string of a line, in UTF-16 units (FORMAT.md, section 7). */
export const MAX_STRING_LENGTH = 500_000

const NOTICE = "[Session persistence truncated large content]"
const REFERENCE =
  /\n\n(?:\[line count: ([^\]\n]+)\]\n)?\[full content: (blob:sha256:[0-9a-f]{64})\]\n\[Session persistence truncated large content\]$/
/** Longer than any match of REFERENCE. */
const MAX_ENDING_LENGTH = 256

/** What the notice at the end of a truncated text contains. */
export interface CutText {
  readonly hash: string
  /** The `lineCount` that was stored beside the text, if it is not the number of its lines. */
  readonly lineCount: number | undefined
}

/**
 * Truncates a text to `MAX_STRING_LENGTH`, never within a surrogate pair, and ends it in a notice.
 * @param whole the reference to the whole text; undefined if it is not stored and the rest is lost
 */
export function cutText(text: string, whole: CutText | undefined): string {
  const lines = whole ? [`[full content: ${blobRef(whole.hash)}]`] : []
  if (whole?.lineCount !== undefined) lines.unshift(`[line count: ${JSON.stringify(whole.lineCount)}]`)
  const ending = `\n\n${[...lines, NOTICE].join("\n")}`
  return textStart(text, MAX_STRING_LENGTH - ending.length) + ending
}

/** The reference in a truncated text: "lost" if it has none; undefined for a text that was not truncated. */
export function readCutText(text: string): CutText | "lost" | undefined {
  // The length of a truncated text is the maximum, or one less at a surrogate pair.
  if (text.length < MAX_STRING_LENGTH - 1 || text.length > MAX_STRING_LENGTH || !text.endsWith(NOTICE)) return undefined
  const [, lineCount, ref = ""] = REFERENCE.exec(text.slice(-MAX_ENDING_LENGTH)) ?? []
  const hash = hashInRef(ref)
  if (hash === undefined) return "lost"
  return { hash, lineCount: lineCount === undefined ? undefined : Number(lineCount) }
}

/** Whether truncating `whole` gives this text. */
export function isCutOf(text: string, whole: string): boolean {
  const ending = REFERENCE.exec(text.slice(-MAX_ENDING_LENGTH))?.[0].length ?? 0
  return whole.length > MAX_STRING_LENGTH && whole.startsWith(text.slice(0, text.length - ending))
}

/** The `lineCount` that omp and xcsh store beside a `content`. */
export function lineCountAt({ holder, key }: Spot): number | undefined {
  const count = key === "content" && isJsonObject(holder) ? holder.lineCount : undefined
  return typeof count === "number" ? count : undefined
}

export function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
