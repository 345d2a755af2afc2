import type { Author } from "./author.js"
import { pathOf } from "./tool-call.js"
import { usageOf } from "./usage.js"

/** A compaction that keeps the last one to four turns, in the fields of the style. */
export function compactionFields(author: Author) {
  const { random, shape, turns, count, settings } = author
  const kept = turns[Math.max(0, turns.length - random.between(1, 4))]
  const summary = structuredSummary(author, 4_000)
  const tokensBefore = random.between(60_000, 180_000)
  if (shape.style === "pi-v1") return { summary, firstKeptEntryIndex: (kept?.ordinal ?? count - 1) + 1, tokensBefore }
  const boundary = { firstKeptEntryId: kept?.id ?? author.leafId, tokensBefore }
  if (shape.style === "pi-migrated") return { summary, ...boundary }
  const details = fileLists(author)
  if (shape.style === "omp")
    return { summary, shortSummary: author.text.prose(80), ...boundary, details, fromExtension: false }
  const usage = random.chance(0.5) && { usage: usageOf(random, 900) }
  if (shape.style === "treelog") return { summary, ...boundary, details, ...usage, settings }
  return { summary, ...boundary, details, ...usage, fromHook: false }
}

export function branchSummaryFields(author: Author, leftId: string) {
  const summary = { fromId: leftId, summary: structuredSummary(author, 900), details: fileLists(author) }
  if (author.shape.style === "treelog") return summary
  return { ...summary, ...(author.shape.style === "omp" ? { fromExtension: false } : { fromHook: false }) }
}

function structuredSummary({ random, text }: Author, chars: number): string {
  const part = (): string => text.prose(random.size(chars / 4))
  return `## Goal\n${part()}\n\n## Progress\n### Done\n- [x] ${part()}\n\n## Key Decisions\n- ${part()}\n\n## Next Steps\n1. ${part()}`
}

function fileLists({ random }: Author) {
  const paths = (most: number): string[] => Array.from({ length: random.below(most) }, () => pathOf(random)).sort()
  return { readFiles: paths(12), modifiedFiles: paths(6) }
}
