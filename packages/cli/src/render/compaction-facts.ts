import type { CompactionPlan } from "@treelog/session-core"
import { plural } from "@treelog-internal/text"
import { type Extent, extentsOf } from "../commands/compact/compaction-extents.js"
import type { Fact } from "./fact-lines.js"

/** What a compaction would do with a context. */
export function compactionFacts(plan: CompactionPlan, shortId: (id: string) => string): Fact[] {
  const { tokensBefore, firstKeptEntryId, previousSummary, files } = plan
  const { summarize, turnPrefix, keep } = extentsOf(plan)
  const facts: Fact[] = [
    ["context", tokensText(tokensBefore)],
    ["summarized", extentText(summarize)],
  ]
  if (turnPrefix.messages > 0) facts.push(["of a cut turn", extentText(turnPrefix)])
  if (previousSummary !== undefined) facts.push(["carried on", "the previous summary"])
  facts.push(["kept", `${extentText(keep)}, from ${shortId(firstKeptEntryId)}`])
  facts.push(["only read", plural(files.readFiles.length, "file")])
  facts.push(["modified", plural(files.modifiedFiles.length, "file")])
  return facts
}

export function tokensText(tokens: number): string {
  return plural(tokens, "token")
}

function extentText({ messages, tokens }: Extent): string {
  return `${plural(messages, "message")}, about ${tokensText(tokens)}`
}
