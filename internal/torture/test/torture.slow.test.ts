import { tries } from "@treelog-internal/test-kit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FAULT_TESTS } from "../src/fault-tests.js"
import { bundlePrograms } from "../src/programs.js"
import { runFaultTest } from "../src/run-fault-test.js"

describe("what sessions survive, in short form", () => {
  let programs: Awaited<ReturnType<typeof bundlePrograms>>
  beforeAll(async () => {
    programs = await bundlePrograms()
  })
  afterAll(() => programs.remove())

  for (const test of FAULT_TESTS) {
    it(test.promise, async (context) => {
      const count = tries(test.counts.short)
      const { tried, broken, skipped } = await runFaultTest(test, {
        program: programs.program,
        count,
        seed: 20_261_121,
      })
      if (skipped) context.skip(skipped)
      expect(broken).toEqual([])
      expect(tried).toBeGreaterThan(0)
    })
  }
})
