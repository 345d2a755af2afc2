import { cleanLine } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"
import { excerptOf } from "../../../src/tui/sessions/session-line.js"
import { rowPrompts, sessionRow } from "../../../src/tui/sessions/session-row.js"
import { info } from "./infos.js"

const row = (name: string, ...prompts: readonly string[]) => ({
  ...sessionRow(info("a", 1, { name, firstMessage: prompts[0] ?? "" }), false, undefined),
  prompts: rowPrompts(prompts),
})

test("what the title shows needs no excerpt", () => {
  expect(excerptOf(row("The needle", "the needle again"), ["needle"], 100)).toBe("")
})

test("the prompt that holds most of what is missing is shown, from a little before it", () => {
  const session = row("Title", "a needle", `${"x".repeat(500)} the needle and the thread`)
  expect(excerptOf(session, ["needle", "thread"], 40)).toBe("xxxxx the needle and the thread")
})

test("what was found nowhere has no excerpt", () => {
  expect(excerptOf(row("Title", "a prompt"), ["needle"], 100)).toBe("")
})

test("an excerpt is a part of a text, no longer than asked for, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(50), (prompt, length) => {
      const text = `${prompt}needle${prompt}`
      const excerpt = excerptOf(row("Title", text), ["needle"], length)
      expect(cleanLine(text)).toContain(excerpt)
      expect(excerpt.length).toBeLessThanOrEqual(length)
    }),
  )
})
