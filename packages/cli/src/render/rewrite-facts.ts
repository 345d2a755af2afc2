import type { RewriteReport } from "@treelog/session-core"
import type { Fact } from "./fact-lines.js"
import { plural } from "./plural.js"
import { sizeText } from "./size.js"
import { tallyText } from "./tally-text.js"

/** What moving a session's images out, or back in, amounts to. */
export function rewriteFacts(
  { path, before, after, changed, backup }: RewriteReport,
  blobs: { folder: string; count: number; bytes: number },
): Fact[] {
  const facts: Fact[] = [
    ["session", path],
    ["before", sizeText(before)],
    ["after", changed === 0 ? "the same" : sizeText(after)],
    ["changed", plural(changed, "line")],
  ]
  if (blobs.count > 0) facts.push(["blobs", `${tallyText(blobs)}, in ${blobs.folder}`])
  if (backup !== undefined) facts.push(["as it was", backup])
  return facts
}
