import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { RowHeights, ScrollRange } from "./door.js"

const height = fc.integer({ min: 1, max: 900 })

test("Heights of rows agree with a sum over all rows, whatever is measured.", () => {
  fc.assert(
    fc.property(
      fc.array(height, { minLength: 1, maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(300), height), { maxLength: 50 }),
      fc.nat(100_000),
      (estimates, measured, place) => {
        const heights = new RowHeights(estimates.length, (row) => estimates[row] ?? 0)
        const model = [...estimates]
        for (const [row, now] of measured) {
          const change = heights.set(row, now)
          expect(change).toBe(row < model.length ? now - (model[row] ?? 0) : 0)
          if (row < model.length) model[row] = now
        }
        let top = 0
        let at = model.length - 1
        model.forEach((one, row) => {
          expect(heights.top(row)).toBe(top)
          if (place >= top && place < top + one) at = row
          top += one
        })
        expect(heights.total).toBe(top)
        expect(heights.rowAt(place)).toBe(at)
      },
    ),
  )
})

test("No rows have no height.", () => {
  const heights = new RowHeights(0, () => 1)
  expect([heights.total, heights.top(0), heights.rowAt(5), heights.set(0, 3)]).toEqual([0, 0, 0, 0])
})

describe("A scroll range", () => {
  const VIEW = 800
  const range = (total: number): ScrollRange => {
    const made = new ScrollRange()
    made.resize(total, VIEW)
    return made
  }

  test("has places for scroll positions where a browser can draw all of it.", () => {
    const short = range(10_000)
    expect(short.height).toBe(10_000)
    short.scrolled(1_234)
    expect([short.place, short.positionOf(1_300)]).toEqual([1_234, 1_300])
    expect(short.goTo(99_999)).toBe(9_200)
  })

  test("reaches both ends and every place of what is taller than a browser can draw.", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 12_000_001, max: 400_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, part) => {
          const tall = range(total)
          const farthest = tall.height - VIEW
          expect(tall.height).toBeLessThan(17_000_000)
          tall.scrolled(farthest)
          expect(tall.place).toBe(total - VIEW)
          tall.scrolled(0)
          expect(tall.place).toBe(0)
          const place = Math.round(part * (total - VIEW))
          const position = tall.goTo(place)
          expect(position).toBeGreaterThanOrEqual(0)
          expect(position).toBeLessThanOrEqual(farthest)
          expect(Math.abs(tall.place - place)).toBeLessThanOrEqual(1)
          expect(tall.positionOf(tall.place)).toBe(position)
        },
      ),
    )
  })

  test("goes step by step wherever it is, and arrives at both ends.", () => {
    const tall = range(50_000_000)
    let position = tall.goTo(25_000_000)
    const before = tall.place
    position += 100
    position = tall.scrolled(position) ?? position
    expect(tall.place).toBe(before + 100)
    for (const step of [-700, 700]) {
      for (let count = 0; count < 120_000; count++) {
        const next = Math.max(0, Math.min(position + step, tall.height - VIEW))
        position = tall.scrolled(next) ?? next
      }
      expect(tall.place).toBe(step < 0 ? 0 : 50_000_000 - VIEW)
    }
  })

  test("leaves the position alone when something above grows, until it settles.", () => {
    const short = range(10_000)
    short.scrolled(1_000)
    short.drift(250)
    expect([short.place, short.positionOf(short.place)]).toEqual([1_250, 1_000])
    short.settle()
    expect([short.place, short.positionOf(short.place)]).toEqual([1_250, 1_250])
  })
})
