import type { SweepReport } from "@treelog/blob-store"
import { cleanLine, tallyText } from "@treelog-internal/text"
import type { Fact } from "./fact-lines.js"

/** What a sweep did, or would do. */
export function sweepFacts(report: SweepReport, folder: string, roots: readonly string[]): Fact[] {
  const { applied, scanned, kept, withinGrace, swept, temporary, emptied, restored, trash, unparsable } = report
  const facts: Fact[] = [
    ["blobs", folder],
    ...roots.map((root): Fact => ["sessions", root]),
    ["scanned", tallyText(scanned, "file")],
    ["referenced", tallyText(kept)],
    [applied ? "in the trash" : "would free", tallyText(swept)],
  ]
  const more: [string, { count: number; bytes: number }, string][] = [
    ["too young", withinGrace, "blob"],
    ["unfinished", temporary, "file"],
    ["restored", restored, "blob"],
    ["freed", emptied, "blob"],
  ]
  for (const [name, tally, what] of more) if (tally.count > 0) facts.push([name, tallyText(tally, what)])
  if (trash !== undefined) facts.push(["trash", trash])
  for (const { path, message } of unparsable) facts.push(["unreadable", cleanLine(`${path}: ${message}`)])
  return facts
}
