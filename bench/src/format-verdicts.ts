import type { Verdict } from "./judge.js"
import { markdownTable } from "./markdown-table.js"

const FIGURES: Readonly<Record<string, string>> = {
  ms: "time",
  cpuMs: "processor time",
  sinceStartMs: "time from start",
  peakRss: "peak memory",
}

/** Bars, what was found, and whether it is enough. Empty where there are none. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ""
  const rows = verdicts.map(({ case: name, contender, figure, bar, is, reached }) => {
    return [name, contender, FIGURES[figure] ?? figure, bar, is, reached ? "yes" : "**no**"]
  })
  return markdownTable(["case", "who", "of", "bar", "is", "reached"], 6, rows)
}

/** How many bars were reached, and which were not: the last lines of a run. */
export function formatSummary(verdicts: readonly (Verdict & { readonly question: string })[]): string {
  const missed = verdicts.filter(({ reached }) => !reached)
  const lines = missed.map(
    ({ question, case: name, contender, figure, bar, is }) =>
      `- ${question}, ${name}: ${contender}, ${FIGURES[figure] ?? figure}: ${bar}; it is ${is}\n`,
  )
  return `${verdicts.length - missed.length} of ${verdicts.length} bars reached.\n${lines.join("")}`
}
