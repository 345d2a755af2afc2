import { costOf, sumOfUsages } from "@treelog/session-core/search"
import { expect, test } from "vitest"
import { allDays, spansOfDays } from "./door.js"

test("Many days are summed by weeks, and very many by four weeks, so that their bars can be seen.", () => {
  const row = (key: string) => ({ key, totals: { ...sumOfUsages([]), calls: 1 }, cost: { ...costOf([]), reported: 2 } })
  const spansOf = (from: string, to: string) => spansOfDays(allDays([row(from), row(to)], from, to))
  expect(spansOf("2026-01-01", "2026-04-30")).toMatchObject({ name: "day", spans: { length: 120 } })
  const weeks = spansOf("2026-01-01", "2026-05-01")
  expect(weeks).toMatchObject({ name: "week", spans: { length: 18 } })
  expect(weeks.spans[1]?.key).toBe("2026-01-08")
  expect(weeks.spans.reduce((sum, { cost }) => sum + cost.reported, 0)).toBe(4)
  expect(spansOf("2020-01-01", "2026-01-01").name).toBe("four weeks")
})
