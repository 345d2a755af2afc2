import type { RewriteReport, RewrittenBlob } from "@treelog/session-core"
import { plural, sizeText, tallyText } from "@treelog-internal/text"
import type { Fact } from "./fact-lines.js"

/** What moving a session's images out, or back in, amounts to. */
export function rewriteFacts({ path, before, after, changed, blobs, backup }: RewriteReport, folder: string): Fact[] {
  const facts: Fact[] = [
    ["session", path],
    ["before", sizeText(before)],
    ["after", changed === 0 ? "the same" : sizeText(after)],
    ["changed", plural(changed, "line")],
  ]
  if (blobs.length > 0) facts.push(["blobs", `${tallyText(tallyOf(blobs))}, in ${folder}`])
  if (backup !== undefined) facts.push(["backup", backup])
  return facts
}

/** How many blobs, and how many bytes they have together. */
export function tallyOf(blobs: readonly RewrittenBlob[]): { count: number; bytes: number } {
  return { count: blobs.length, bytes: blobs.reduce((sum, { size }) => sum + size, 0) }
}
