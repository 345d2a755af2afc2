import type { Author } from "./author.js"
import { pathOf } from "./tool-call.js"
import { usageOf } from "./usage.js"

/** A compaction that keeps the last one to four turns, in the fields of the style. */
export function compactionFields(author: Author) {
  const { random, shape, turns, count } = author
  const kept = turns[Math.max(0, turns.length - random.between(1, 4))]
  const summary = structuredSummary(author, 2_500)
  const tokensBefore = random.between(60_000, 180_000)
  if (shape.style === "pi-v1") return { summary, firstKeptEntryIndex: (kept?.ordinal ?? count - 1) + 1, tokensBefore }
  const boundary = { firstKeptEntryId: kept?.id ?? author.leafId, tokensBefore }
  if (shape.style === "pi-migrated") return { summary, ...boundary }
  const details = fileLists(author)
  if (shape.style === "omp")
    return { summary, shortSummary: author.text.prose(80), ...boundary, details, fromExtension: false }
  return { summary, ...boundary, details, ...(random.chance(0.5) && { usage: usageOf(random, 900) }), fromHook: false }
}

export function branchSummaryFields(author: Author, leftId: string) {
  const { shape } = author
  const origin = shape.style === "omp" ? { fromExtension: false } : { fromHook: false }
  return { fromId: leftId, summary: structuredSummary(author, 900), details: fileLists(author), ...origin }
}

function structuredSummary({ random, text }: Author, chars: number): string {
  const part = (): string => text.prose(random.size(chars / 4))
  return `## Goal\n${part()}\n\n## Progress\n### Done\n- [x] ${part()}\n\n## Key Decisions\n- ${part()}\n\n## Next Steps\n1. ${part()}`
}

function fileLists({ random }: Author) {
  const paths = (most: number): string[] => Array.from({ length: random.below(most) }, () => pathOf(random)).sort()
  return { readFiles: paths(12), modifiedFiles: paths(6) }
}
