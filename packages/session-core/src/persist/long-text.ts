import { blobRef, hashInRef } from "../ports/blob-ref.js"

/** The longest string of a line, in UTF-16 units (FORMAT.md, section 7). */
export const MAX_STRING_LENGTH = 500_000

const NOTICE = "[Session persistence truncated large content]"
const REFERENCE =
  /\n\n(?:\[line count: ([^\]\n]+)\]\n)?\[full content: (blob:sha256:[0-9a-f]{64})\]\n\[Session persistence truncated large content\]$/
/** Longer than anything that REFERENCE can match. */
const MAX_ENDING_LENGTH = 256

/** What a cut string says of the whole one. */
export interface CutText {
  readonly hash: string
  /** The `lineCount` that stood beside it, where it is not the number of its lines. */
  readonly lineCount: number | undefined
}

/**
 * Cuts a text to what a line may hold, never through a surrogate pair, and says so at its end.
 * @param whole where the whole text was put; undefined when it was put nowhere, and what is cut off is lost
 */
export function cutText(text: string, whole: CutText | undefined): string {
  const lines = whole ? [`[full content: ${blobRef(whole.hash)}]`] : []
  if (whole?.lineCount !== undefined) lines.unshift(`[line count: ${JSON.stringify(whole.lineCount)}]`)
  const ending = `\n\n${[...lines, NOTICE].join("\n")}`
  let end = MAX_STRING_LENGTH - ending.length
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last < 0xdc00) end -= 1
  return text.slice(0, end) + ending
}

/** Where the whole of a cut text is; undefined for a text that was not cut, or whose rest is lost. */
export function readCutText(text: string): CutText | undefined {
  if (!isCut(text)) return undefined
  const match = REFERENCE.exec(text.slice(-MAX_ENDING_LENGTH))
  const hash = match?.[2] === undefined ? undefined : hashInRef(match[2])
  if (hash === undefined) return undefined
  const lineCount = match?.[1] === undefined ? undefined : Number(match[1])
  return { hash, lineCount }
}

/** Whether a text was cut, and its rest put nowhere: other programs do that. */
export function isCutForGood(text: string): boolean {
  return isCut(text) && readCutText(text) === undefined
}

/** Whether a text is what cutting gives of the whole one. */
export function isCutOf(text: string, whole: string): boolean {
  const ending = REFERENCE.exec(text.slice(-MAX_ENDING_LENGTH))?.[0].length ?? 0
  return whole.length > MAX_STRING_LENGTH && whole.startsWith(text.slice(0, text.length - ending))
}

/** A cut text is as long as a line may hold, or one less for a pair. A shorter one only quotes the notice. */
function isCut(text: string): boolean {
  return text.length >= MAX_STRING_LENGTH - 1 && text.length <= MAX_STRING_LENGTH && text.endsWith(NOTICE)
}

export function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
