import { expect, onTestFinished, test, vi } from "vitest"
import { Batches } from "../../../src/tui/frame/batches.js"

test("the first is handed on at once, what follows together, and the rest on demand", () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const taken: string[] = []
  const batches = new Batches<string>((items) => taken.push(items.join("")))
  for (const item of "abc") batches.add(item)
  expect(taken).toEqual(["a"])
  vi.advanceTimersByTime(1000)
  expect(taken).toEqual(["a", "bc"])
  vi.advanceTimersByTime(1000)
  for (const item of "def") batches.add(item)
  batches.flush()
  expect(taken).toEqual(["a", "bc", "d", "ef"])
  vi.advanceTimersByTime(1000)
  expect(taken).toHaveLength(4)
})
