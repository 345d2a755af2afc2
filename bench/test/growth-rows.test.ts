import { expect, test } from "vitest"
import { formatGrowth } from "../src/format-growth.js"
import { growthRows } from "../src/growth-rows.js"
import type { Row } from "../src/row.js"
import { figuresOf } from "../src/statistics.js"

function row(series: string | undefined, at: number, contender: string, ms: number): Row {
  const figures = {
    ms: figuresOf([ms]),
    cpuMs: figuresOf([ms]),
    sinceStartMs: figuresOf([ms]),
    peakRss: figuresOf([1]),
    own: {},
  }
  const part = series === undefined ? {} : { series: { name: series, at } }
  return {
    case: `${series}, at ${at}`,
    size: at,
    ...part,
    contender,
    isProbe: false,
    isSpawned: false,
    samples: 1,
    ...figures,
  }
}

test("The cases of a series stand side by side, from the smallest to the largest.", () => {
  const rows = growthRows([
    row("append", 100_000, "treelog", 22),
    row("append", 1_000, "treelog", 20),
    row("append", 1_000, "pi", 25),
    row("append", 100_000, "pi", 50),
    row(undefined, 0, "treelog", 5),
  ])
  expect(rows).toMatchObject([
    { contender: "treelog", larger: 100, longer: 1.1 },
    { contender: "pi", larger: 100, longer: 2 },
  ])
  expect(formatGrowth(rows)).toContain("| append | treelog | 20 | 22 | 100 | 1.10 |")
})

test("Who takes part in one size alone does not grow.", () => {
  expect(growthRows([row("append", 1_000, "pi", 25)])).toEqual([])
  expect(formatGrowth([])).toBe("")
})
