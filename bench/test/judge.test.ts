import { describe, expect, test } from "vitest"
import { type Bar, MB } from "../src/bar.js"
import { formatSummary, formatVerdicts } from "../src/format-verdicts.js"
import { judge, type Verdict } from "../src/judge.js"
import type { Row } from "../src/row.js"
import { figuresOf } from "../src/statistics.js"

const ROWS: Row[] = [
  row("large", "treelog", { ms: 40, peakRss: 90, own: { "p95 ms": 7 } }),
  row("large", "pi", { ms: 1_000, peakRss: 400 }),
  row("small", "treelog", { ms: 2, peakRss: 60, size: 100 }),
]

function row(
  name: string,
  contender: string,
  figures: { ms: number; peakRss: number; size?: number; own?: object },
): Row {
  const { ms, peakRss, size = 1_000, own = {} } = figures
  return {
    case: name,
    size,
    contender,
    isProbe: false,
    isSpawned: false,
    samples: 1,
    ms: figuresOf([ms]),
    cpuMs: figuresOf([ms]),
    sinceStartMs: figuresOf([ms + 50]),
    peakRss: figuresOf([peakRss * MB]),
    own: Object.fromEntries(Object.entries(own).map(([name, value]) => [name, figuresOf([Number(value)])])),
  }
}

function judged(bar: Bar): Verdict | undefined {
  return judge({ name: "large", size: 1_000, contenders: {}, bars: [bar] }, ROWS)[0]
}

describe("A bar", () => {
  test("may ask for so many times the speed of another", () => {
    expect(judged({ contender: "treelog", beside: "pi", atLeast: 25 })).toMatchObject({ found: 25, reached: true })
    expect(judged({ contender: "treelog", beside: "pi", atLeast: 26 })).toMatchObject({ is: "25x", reached: false })
  })

  test("may allow so many times what another takes", () => {
    const bar = { contender: "treelog", figure: "peakRss", beside: "pi", atMost: 0.25 } as const
    expect(judged(bar)).toMatchObject({ bar: "at most 0.25x of pi", found: 0.225, reached: true })
    expect(judged({ ...bar, atMost: 0.2 })?.reached).toBe(false)
  })

  test("may allow so much more than another takes", () => {
    const bar = { contender: "pi", figure: "sinceStartMs", beside: "treelog", within: 960 } as const
    expect(judged(bar)).toMatchObject({ found: 960, reached: true })
    expect(judged({ ...bar, within: 959 })?.reached).toBe(false)
  })

  test("may name a figure, also one that the work measured on its own", () => {
    expect(judged({ contender: "treelog", figure: "peakRss", atMost: 90 * MB })).toMatchObject({
      is: "90 MB",
      reached: true,
    })
    expect(judged({ contender: "treelog", figure: "p95 ms", atMost: 6 })).toMatchObject({ found: 7, reached: false })
  })

  test("may compare with another case, thing by thing, and is passed over when that was not asked", () => {
    expect(judged({ contender: "treelog", besideCase: "small", atMost: 2 })).toMatchObject({ found: 2, reached: true })
    expect(judged({ contender: "treelog", besideCase: "tiny", atMost: 2 })).toBeUndefined()
  })

  test("that names nobody, or a figure that nobody measured, is an error", () => {
    expect(() => judged({ contender: "omp", atMost: 1 })).toThrow("names omp, who takes no part")
    expect(() => judged({ contender: "pi", figure: "p95 ms", atMost: 1 })).toThrow("which pi did not measure")
  })
})

test("Bars that were missed are named at the end.", () => {
  const bars: Bar[] = [
    { contender: "treelog", beside: "pi", atLeast: 20 },
    { contender: "treelog", beside: "pi", atLeast: 50 },
  ]
  const verdicts = judge({ name: "large", size: 1_000, contenders: {}, bars }, ROWS)
  expect(formatVerdicts(verdicts)).toContain("| large | treelog | time | at least 50x as fast as pi | 25x | **no** |")
  expect(formatSummary(verdicts.map((verdict) => ({ question: "open", ...verdict })))).toBe(
    "1 of 2 bars reached.\n- open, large: treelog, time: at least 50x as fast as pi; it is 25x\n",
  )
})
