import type { Row } from "./row.js"

/** What one contender does in a series, from the smallest size to the largest. */
export interface GrowthRow {
  readonly series: string
  readonly contender: string
  readonly points: readonly { readonly at: number; readonly ms: number }[]
  /** How many times larger the last is than the first, and how many times as long it takes. */
  readonly larger: number
  readonly longer: number
}

/** The rows of a question that belong to series, put side by side. A series of one size shows nothing. */
export function growthRows(rows: readonly Row[]): GrowthRow[] {
  const lines = new Map<string, Row[]>()
  for (const row of rows) {
    if (!row.series) continue
    const key = `${row.series.name}\n${row.contender}`
    lines.set(key, [...(lines.get(key) ?? []), row])
  }
  return [...lines.values()].filter((line) => line.length > 1).map(growthRow)
}

function growthRow(line: readonly Row[]): GrowthRow {
  const points = line.map(({ series, ms }) => ({ at: series?.at ?? 0, ms: ms.median })).sort((a, b) => a.at - b.at)
  const [first, last] = [points[0], points.at(-1)]
  const [row] = line
  if (!first || !last || !row?.series) throw new RangeError("A series has at least one point.")
  const { series, contender } = row
  return { series: series.name, contender, points, larger: last.at / first.at, longer: last.ms / first.ms }
}
