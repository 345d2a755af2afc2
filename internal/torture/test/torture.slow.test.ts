import { describe, expect, it } from "vitest"
import { FAULT_TESTS } from "../src/fault-tests.js"
import { runFaultTest } from "../src/run-fault-test.js"

describe("what sessions survive, in short form", () => {
  for (const test of FAULT_TESTS) {
    it(test.promise, async (context) => {
      const { tried, broken, skipped } = await runFaultTest(test, { count: test.counts.short, seed: 20_261_121 })
      if (skipped) context.skip(skipped)
      expect(broken).toEqual([])
      expect(tried).toBeGreaterThan(0)
    })
  }
})
