import { expect, it } from "vitest"
import type { UsagePoint } from "./door.js"
import { contextShape } from "./door.js"

const point = (ordinal: number, context: number): UsagePoint => ({
  ordinal,
  time: ordinal,
  context,
  usages: [],
  isCompaction: false,
})

it("keeps the size of the context through calls that have none of their own, as those of sub-agents", () => {
  const points = [point(0, 50), point(1, 0), point(2, 0), point(3, 100)]
  expect(contextShape(points, [0, 0.25, 0.5, 1], 100, { width: 100, height: 100 })).toBe(
    "M0 100L0 50L25 50L50 50L100 0L100 100Z",
  )
})
