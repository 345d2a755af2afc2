import { type ConversionReport, ReportCounter } from "@treelog-internal/agent-files"
import { BLANK, isKnownKind, reasonToSkip, UNREADABLE } from "../source/kinds.js"
import type { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import type { Outcome, Plan } from "./plan.js"

const COPY = "It repeats an earlier line."
const HELD = "The reply at the end is not complete yet."
const TORN = "The last line was cut off."

/**
 * Counts what became of each record. Records that were glued to one line count as lines of their own.
 * @param records those of the plan
 * @param chained those that are in transcripts of sub-agents
 * @param heldAt from this record of the file on, lines are held back
 */
export function reportOf(
  index: SourceIndex,
  plan: Plan,
  records: readonly SourceRecord[],
  chained: readonly SourceRecord[],
  heldAt: number,
): ConversionReport {
  const counter = new ReportCounter()
  const add = (record: SourceRecord, outcome: Outcome): void => {
    const { kind } = record
    const isIn = outcome === "converted" || outcome === "kept"
    const isUnknown = kind !== UNREADABLE && !isKnownKind(kind)
    const skipped = { skipped: outcome === "copy" ? COPY : reasonToSkip(kind) }
    counter.count(kind, isIn ? outcome : skipped, () => record.hasTokens === true)
    if (isUnknown) counter.unknown(kind)
  }
  const held = new Set(index.records.slice(heldAt))
  for (const [at, record] of records.entries()) add(record, plan.outcomes[at] ?? "kept")
  for (const record of chained) if (!held.has(record)) add(record, outcomeInChain(record))
  for (const { kind } of held) counter.count(kind, { skipped: HELD })
  for (let blank = 0; blank < index.blankLines; blank++) counter.count(BLANK, { skipped: reasonToSkip(BLANK) })
  if (index.isTorn) counter.count(UNREADABLE, { skipped: TORN })
  const faults = index.faults.filter(({ at }) => at <= heldAt).map(({ diagnostic }) => diagnostic)
  for (const diagnostic of [...faults, ...plan.diagnostics].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)))
    counter.report(diagnostic)
  return counter.result(
    [],
    [...records, ...chained].some(({ usage }) => usage),
  )
}

/** Lines of side chains are in artifacts. */
function outcomeInChain({ role }: SourceRecord): Outcome {
  if (role === "progress" || role === "skip") return "skipped"
  return role === "keep" || role === "damaged" ? "kept" : "converted"
}
