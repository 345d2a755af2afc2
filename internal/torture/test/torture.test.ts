import { describe, expect, it } from "vitest"
import { TRIALS } from "../src/trials.js"
import { tryOut } from "../src/try-out.js"

describe("what sessions survive, in short form", () => {
  for (const trial of TRIALS) {
    it(trial.promise, async (context) => {
      const { tried, broken, skipped } = await tryOut(trial, { count: trial.counts.short, seed: 20_261_121 })
      if (skipped) context.skip(skipped)
      expect(broken).toEqual([])
      expect(tried).toBeGreaterThan(0)
    }, 180_000)
  }
})
