import fc from "fast-check"
import { expect, test } from "vitest"
import { type ListWindow, moveByKey, resizeWindow, selectRow, windowOf } from "../../door.js"

test("keys move by a row, a screen, or all the way", () => {
  const at = (window: ListWindow | undefined): number | undefined => window?.selected
  const window = selectRow(windowOf(10), 50, 100)
  expect(at(moveByKey(window, "up", 100))).toBe(49)
  expect(at(moveByKey(window, "down", 100))).toBe(51)
  expect(at(moveByKey(window, "page-up", 100))).toBe(40)
  expect(at(moveByKey(window, "page-down", 100))).toBe(60)
  expect(at(moveByKey(window, "home", 100))).toBe(0)
  expect(at(moveByKey(window, "end", 100))).toBe(99)
  expect(moveByKey(window, "enter", 100)).toBeUndefined()
})

test("whatever is selected of however many, one row is selected and in sight, and no room is wasted", () => {
  const step = fc.record({
    index: fc.oneof(
      fc.integer({ min: -5, max: 60 }),
      fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    ),
    count: fc.nat(50),
    height: fc.integer({ min: 1, max: 30 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let window = windowOf(3)
      for (const { index, count, height } of steps) {
        window = resizeWindow(selectRow(window, index, count), height, count)
        expect(window.selected).toBeGreaterThanOrEqual(0)
        expect(window.selected).toBeLessThan(Math.max(1, count))
        expect(window.top).toBeGreaterThanOrEqual(0)
        expect(window.selected - window.top).toBeGreaterThanOrEqual(0)
        expect(window.selected - window.top).toBeLessThan(window.height)
        expect(window.top).toBeLessThanOrEqual(Math.max(0, count - window.height))
      }
    }),
  )
})
