import type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
import { isKnownKind, reasonToSkip } from "../source/kinds.js"
import { BLANK, type SourceIndex, UNREADABLE } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import type { Outcome, Plan } from "./plan-lines.js"

const COPY = "It repeats an earlier line."
const HELD = "The reply at the end is not complete yet."
const TORN = "The last line was cut off."

interface ReportInput {
  readonly index: SourceIndex
  readonly plan: Plan
  /** Those of the plan. */
  readonly records: readonly SourceRecord[]
  /** Those that are in transcripts of sub-agents. */
  readonly chains: readonly SourceRecord[]
  /** From this record of the file on, lines are held back. */
  readonly heldAt: number
}

/** Counts what became of each record. Records that were glued to one line count as lines of their own. */
export function reportOf({ index, plan, records, chains, heldAt }: ReportInput): ConversionReport {
  const counts = new Map<string, Count>()
  const add = (kind: string, outcome: Outcome, reason: string): void => {
    const count = counts.get(kind) ?? { converted: 0, kept: 0, skipped: 0, reasons: new Set<string>() }
    counts.set(kind, count)
    count[outcome === "copy" ? "skipped" : outcome] += 1
    if (outcome === "skipped" || outcome === "copy") count.reasons.add(outcome === "copy" ? COPY : reason)
  }
  const held = new Set(index.records.slice(heldAt))
  for (const [at, { kind }] of records.entries()) add(kind, plan.outcomes[at] ?? "kept", reasonToSkip(kind))
  for (const record of chains)
    if (!held.has(record)) add(record.kind, outcomeInChain(record), reasonToSkip(record.kind))
  for (const { kind } of held) add(kind, "skipped", HELD)
  for (let blank = 0; blank < index.blankLines; blank++) add(BLANK, "skipped", reasonToSkip(BLANK))
  if (index.isTorn) add(UNREADABLE, "skipped", TORN)
  const kinds = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => [kind, kindCount(count)] as const)
  const faults = index.faults.filter(({ at }) => at <= heldAt).map(({ diagnostic }) => diagnostic)
  const diagnostics = [...faults, ...plan.diagnostics].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return {
    lines: index.records.length + index.blankLines + (index.isTorn ? 1 : 0),
    kinds: Object.fromEntries(kinds),
    unknownKinds: kinds
      .map(([kind]) => kind)
      .filter((kind) => kind !== UNREADABLE && kind !== BLANK && !isKnownKind(kind)),
    diagnostics,
  }
}

interface Count {
  converted: number
  kept: number
  skipped: number
  readonly reasons: Set<string>
}

function kindCount({ converted, kept, skipped, reasons }: Count): KindCount {
  return { converted, kept, skipped, ...(reasons.size > 0 && { reason: [...reasons].sort().join(" ") }) }
}

/** Lines of side chains are in artifacts. */
function outcomeInChain({ role }: SourceRecord): Outcome {
  return role === "progress" || role === "skip"
    ? "skipped"
    : role === "keep" || role === "damaged"
      ? "kept"
      : "converted"
}
